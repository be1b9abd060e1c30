/**
 * The operations of `Transact`, one function each. A field left out often says something else than
 * a value: docs/data-model.md of the server.
 */
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { type Operation, OperationSchema } from "./gen/tenure/v1/fact_service_pb.js";
import { Cardinality, type EvidenceSchema, type Trust } from "./gen/tenure/v1/record_pb.js";
import type { CivilDate } from "./gen/tenure/v1/time_pb.js";
import { type Target, toObject } from "./objects.js";
import { bound, civil, type End, given, type Moment } from "./times.js";

interface Said {
  /** Where the statement comes from. */
  evidence?: MessageInitShape<typeof EvidenceSchema>;
  /** Zone of texts without one. */
  zone?: string;
}

export interface AssertOptions extends Said {
  from?: End;
  to?: End;
  /** An inclusive end. */
  through?: string | CivilDate;
  /** An event of one granule. */
  at?: string | CivilDate;
  atLeast?: boolean;
  override?: boolean;
  deliberate?: boolean;
}

/** The triple holds. */
export function assert(subject: string, predicate: string, object: Target, options: AssertOptions = {}): Operation {
  const { from, to, through, at, zone, ...rest } = options;
  return operation({
    case: "assert",
    value: {
      ...rest,
      triple: triple(subject, predicate, object),
      ...given("from", bound(from, zone)),
      ...given("to", bound(to, zone)),
      ...given("through", through === undefined ? undefined : civil(through, zone)),
      ...given("at", at === undefined ? undefined : civil(at, zone)),
    },
  });
}

/** The triple holds no longer. */
export function end(
  subject: string,
  predicate: string,
  object: Target,
  options: Said & { at?: Moment } = {},
): Operation {
  const { at, zone, ...rest } = options;
  const value = { ...rest, triple: triple(subject, predicate, object), ...given("at", bound(at, zone)) };
  return operation({ case: "end", value });
}

/** The triple was never true, or not in a range. */
export function retract(
  subject: string,
  predicate: string,
  object: Target,
  options: Said & { from?: End; to?: End; correct?: boolean; block?: boolean } = {},
): Operation {
  const { from, to, zone, ...rest } = options;
  return operation({
    case: "retract",
    value: {
      ...rest,
      triple: triple(subject, predicate, object),
      ...given("from", bound(from, zone)),
      ...given("to", bound(to, zone)),
    },
  });
}

/** The world changed: the new object holds in place of the old one from here on. */
export function supersede(
  subject: string,
  predicate: string,
  newObject: Target,
  options: Said & { oldObject?: Target; at?: Moment; expectHeld?: boolean } = {},
): Operation {
  const { oldObject, at, zone, ...rest } = options;
  return operation({
    case: "supersede",
    value: {
      ...rest,
      subject,
      predicate,
      newObject: toObject(newObject),
      ...given("oldObject", oldObject === undefined ? undefined : toObject(oldObject)),
      ...given("at", bound(at, zone)),
    },
  });
}

/** The record was wrong: around `at` it was another object, other bounds, or both. */
export function correct(
  subject: string,
  predicate: string,
  object: Target,
  options: Said & { at?: Moment; newObject?: Target; from?: End; to?: End } = {},
): Operation {
  const { at, newObject, from, to, zone, ...rest } = options;
  return operation({
    case: "correct",
    value: {
      ...rest,
      triple: triple(subject, predicate, object),
      ...given("at", bound(at, zone)),
      ...given("newObject", newObject === undefined ? undefined : toObject(newObject)),
      ...given("from", bound(from, zone)),
      ...given("to", bound(to, zone)),
    },
  });
}

/** Two names of one entity. */
export function merge(duplicate: string, into: string): Operation {
  return operation({ case: "merge", value: { duplicate, into } });
}

export function unmerge(duplicate: string): Operation {
  return operation({ case: "unmerge", value: { duplicate } });
}

/** How many objects a predicate holds at one instant for one subject. */
export function declare(predicate: string, holds: "one" | "many"): Operation {
  const cardinality = holds === "one" ? Cardinality.ONE : Cardinality.MANY;
  return operation({ case: "declarePredicate", value: { predicate, cardinality } });
}

/** Takes one side of a conflict. */
export function accept(statementId: string, trust?: Trust): Operation {
  return operation({ case: "accept", value: { statementId, ...given("trust", trust) } });
}

/** All earlier statements of a source count as never said. */
export function withdrawSource(source: string): Operation {
  return operation({ case: "withdrawSource", value: { source } });
}

function operation(operation: NonNullable<MessageInitShape<typeof OperationSchema>["operation"]>): Operation {
  return create(OperationSchema, { operation });
}

function triple(subject: string, predicate: string, object: Target) {
  return { subject, predicate, object: toObject(object) };
}
