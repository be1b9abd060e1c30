/**
 * What a fact points at, as a JavaScript value. A string is the name of an entity. A boolean, a
 * bigint, a number or a `Date` is a literal; so is a marked text: `text("B-17")`.
 */
import { create, isMessage } from "@bufbuild/protobuf";
import { type Object$ as FactObject, ObjectSchema as FactObjectSchema, ValueSchema, type Value } from "./gen/tenure/v1/record_pb.js";
import { instant, toDate } from "./times.js";

/** A literal text, where a bare string would be the name of an entity. */
export class Text {
  constructor(readonly text: string) {}
  toString(): string {
    return this.text;
  }
}

export const text = (value: string): Text => new Text(value);

/** A number is a floating point literal and a bigint an integer: 10 is not 10.0. */
export type Target = string | Text | boolean | bigint | number | Date | FactObject;

export function toObject(target: Target): FactObject {
  if (typeof target === "string") return create(FactObjectSchema, { object: { case: "entity", value: target } });
  if (isMessage(target, FactObjectSchema)) return target;
  const value = create(ValueSchema, { value: literal(target) });
  return create(FactObjectSchema, { object: { case: "value", value } });
}

/** The inverse. A time comes back as a `Date`, cut to milliseconds. */
export function fromObject(target: FactObject | undefined): string | Text | boolean | bigint | number | Date | undefined {
  if (target?.object.case !== "value") return target?.object.value;
  const { value } = target.object.value;
  switch (value.case) {
    case "text":
      return new Text(value.value);
    case "time":
      return toDate(value.value);
    default:
      return value.value;
  }
}

function literal(target: Text | boolean | bigint | number | Date): Value["value"] {
  if (target instanceof Text) return { case: "text", value: target.text };
  if (target instanceof Date) return { case: "time", value: instant(target) };
  switch (typeof target) {
    case "boolean":
      return { case: "boolean", value: target };
    case "bigint":
      return { case: "integer", value: target };
    default:
      return { case: "number", value: target };
  }
}
