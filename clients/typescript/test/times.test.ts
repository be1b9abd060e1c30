import assert from "node:assert/strict";
import { test } from "node:test";
import { create } from "@bufbuild/protobuf";
import { asOf, bound, fromObject, instant, text, toDate, toObject, toText, UNBOUNDED } from "../src/index.js";
import { BasisSchema, InstantSchema } from "../src/gen/tenure/v1/time_pb.js";

const INSTANTS: [bigint, string][] = [
  [0n, "1970-01-01T00:00:00Z"],
  [-1n, "1969-12-31T23:59:59.999999Z"],
  [951_782_400_000_000n, "2000-02-29T00:00:00Z"],
  [-62_135_596_800_000_000n, "0001-01-01T00:00:00Z"],
  [-62_135_596_800_000_001n, "0000-12-31T23:59:59.999999Z"],
  [-63_549_360_000_000_000n, "-0044-03-15T00:00:00Z"],
  [253_402_300_800_000_000n, "+10000-01-01T00:00:00Z"],
  [2n ** 63n - 2n, "+294247-01-10T04:00:54.775806Z"],
  [-(2n ** 63n) + 1n, "-290308-12-21T19:59:05.224193Z"],
];

test("instants have a text in every year", () => {
  for (const [unixMicros, told] of INSTANTS) assert.equal(toText(create(InstantSchema, { unixMicros })), told);
});

test("a Date goes and comes back", () => {
  const date = new Date("-000044-03-15T10:00:00.125Z");
  assert.deepEqual(toDate(instant(date)), date);
  assert.throws(() => toDate(create(InstantSchema, { unixMicros: 2n ** 63n - 2n })), RangeError);
});

test("missing, unbounded and dates are different bounds", () => {
  assert.equal(bound(undefined), undefined);
  assert.equal(bound(UNBOUNDED)?.bound.case, "unbounded");
  assert.equal(bound(new Date(0))?.bound.case, "instant");
  assert.equal(bound(create(InstantSchema))?.bound.case, "instant");
  const { bound: said } = bound("2021-03", "Asia/Seoul") ?? {};
  assert.ok(said?.case === "date");
  assert.deepEqual([said.value.text, said.value.zone], ["2021-03", "Asia/Seoul"]);
});

test("a basis says both times", () => {
  const basis = create(BasisSchema, { validTime: { unixMicros: 5n }, tx: 3n });
  const { valid, known } = asOf(basis);
  assert.ok(valid?.point.case === "instant" && known?.point.case === "tx");
  assert.deepEqual([valid.point.value.unixMicros, known.point.value], [5n, 3n]);
  assert.throws(() => asOf(basis, 4), TypeError);
});

test("objects come back as they went", () => {
  for (const value of ["Acme", text("B-17"), true, 10n, 10.5, new Date(0)]) {
    assert.deepEqual(fromObject(toObject(value)), value);
  }
});
