/**
 * JavaScript's dates as those of the contract, and back.
 *
 * A text is sent as it is written and resolved by the server, in the zone given or in that of the
 * namespace. A `Date` is an instant, to the millisecond; an `Instant` is one to the microsecond.
 */
import { create, isMessage } from "@bufbuild/protobuf";
import {
  AsOfSchema,
  type AsOf,
  type Basis,
  BasisSchema,
  type Bound,
  BoundSchema,
  type CivilDate,
  CivilDateSchema,
  Edge,
  type Instant,
  InstantSchema,
  type Range,
  RangeSchema,
  type TransactionPoint,
  TransactionPointSchema,
  type ValidPoint,
  ValidPointSchema,
} from "./gen/tenure/v1/time_pb.js";

/**
 * In a start: the start is unknown. In an end: it never ends, and that is known. `undefined` says
 * that nothing was said.
 */
export const UNBOUNDED: unique symbol = Symbol("unbounded");

export type Moment = string | Date | Instant | CivilDate;
export type End = Moment | typeof UNBOUNDED | undefined;
/** A point of valid time, of both, or the basis of an answer, which repeats that answer. */
export type When = Moment | AsOf | Basis | undefined;
/** A point of transaction time; a number is a transaction. */
export type Known = Moment | bigint | number | undefined;

/** How texts are read. */
export interface Reading {
  /** IANA name. Default: the zone of the namespace. */
  zone?: string | undefined;
  /** Which edge of a date such as "2021" is meant as a point. Default: the start. */
  edge?: "start" | "end" | undefined;
}

const DAY_MICROS = 86_400_000_000n;
const ERA_DAYS = 146_097n;

/** An exact instant. */
export function instant(value: Date | Instant): Instant {
  if (!(value instanceof Date)) return value;
  const millis = value.getTime();
  if (Number.isNaN(millis)) throw new RangeError("an invalid Date is no instant");
  return create(InstantSchema, { unixMicros: BigInt(millis) * 1_000n });
}

/** The instant, cut to milliseconds. A `Date` reaches 275,000 years either way. */
export function toDate(value: Instant): Date {
  const date = new Date(Number(floorDivide(value.unixMicros, 1_000n)));
  if (Number.isNaN(date.getTime())) throw new RangeError(`${toText(value)} is outside of what a Date holds`);
  return date;
}

/** The instant in UTC as ISO 8601, in any year: `2021-03-05T00:00:00Z`, `-0044-03-15T…`. */
export function toText(value: Instant): string {
  const days = floorDivide(value.unixMicros, DAY_MICROS);
  const ofDay = value.unixMicros - days * DAY_MICROS;
  // The calendar repeats after 400 years, so the date is looked up in an era that Date knows.
  const eras = floorDivide(days, ERA_DAYS);
  const known = new Date(Number(days - eras * ERA_DAYS) * 86_400_000 + Number(ofDay / 1_000n));
  const year = known.getUTCFullYear() + 400 * Number(eras);
  const sign = year < 0 ? "-" : year > 9_999 ? "+" : "";
  const micros = Number(ofDay % 1_000_000n);
  const fraction = micros === 0 ? "" : `.${String(micros).padStart(6, "0")}`;
  return `${sign}${String(Math.abs(year)).padStart(4, "0")}${known.toISOString().slice(4, 19)}${fraction}Z`;
}

/** A date as people write it. */
export function civil(text: string | CivilDate, zone = ""): CivilDate {
  return typeof text === "string" ? create(CivilDateSchema, { text, zone }) : text;
}

/** One end of an interval. `undefined` stays absent. */
export function bound(value: End, zone?: string): Bound | undefined {
  if (value === undefined) return undefined;
  if (value === UNBOUNDED) return create(BoundSchema, { bound: { case: "unbounded", value: {} } });
  return create(BoundSchema, { bound: moment(value, zone) });
}

/** A half-open range of valid time. */
export function span(from?: End, to?: End, zone?: string): Range {
  return create(RangeSchema, { ...given("from", bound(from, zone)), ...given("to", bound(to, zone)) });
}

/** A point of valid time. `undefined`: now. */
export function validPoint(value: Moment | undefined, reading: Reading = {}): ValidPoint | undefined {
  if (value === undefined) return undefined;
  return create(ValidPointSchema, { point: moment(value, reading.zone), edge: edgeOf(reading) });
}

/** A point of transaction time. `undefined`: the last commit. */
export function knownPoint(value: Known, reading: Reading = {}): TransactionPoint | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "number" || typeof value === "bigint") {
    return create(TransactionPointSchema, { point: { case: "tx", value: BigInt(value) } });
  }
  return create(TransactionPointSchema, { point: moment(value, reading.zone), edge: edgeOf(reading) });
}

/** Where in both times to answer. */
export function asOf(valid?: When, known?: Known, reading: Reading = {}): AsOf {
  const isPoint = isMessage(valid, AsOfSchema);
  if (isPoint || isMessage(valid, BasisSchema)) {
    if (known !== undefined) throw new TypeError("that says both times; leave out `known`");
    if (isPoint) return valid;
    return create(AsOfSchema, {
      ...given("valid", valid.validTime && validPoint(valid.validTime)),
      ...given("known", knownPoint(valid.tx)),
    });
  }
  return create(AsOfSchema, {
    ...given("valid", validPoint(valid as Moment | undefined, reading)),
    ...given("known", knownPoint(known, reading)),
  });
}

/** A field, where there is something to say. */
export function given<K extends string, V>(name: K, value: V | undefined): { [P in K]?: V } {
  return (value === undefined ? {} : { [name]: value }) as { [P in K]?: V };
}

type MomentCase = { case: "instant"; value: Instant } | { case: "date"; value: CivilDate };

function moment(value: Moment, zone?: string): MomentCase {
  if (value instanceof Date) return { case: "instant", value: instant(value) };
  if (typeof value === "string") return { case: "date", value: civil(value, zone) };
  if (isMessage(value, InstantSchema)) return { case: "instant", value };
  return { case: "date", value };
}

function edgeOf(reading: Reading): Edge {
  return { start: Edge.START, end: Edge.END, none: Edge.UNSPECIFIED }[reading.edge ?? "none"];
}

function floorDivide(value: bigint, by: bigint): bigint {
  const whole = value / by;
  return value % by < 0n ? whole - 1n : whole;
}
