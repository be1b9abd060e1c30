/**
 * Client of Tenure, a memory of facts that keeps both clocks. `connect` is in `tenure/node` and in
 * `tenure/web`, the generated messages are in `tenure/v1/…_pb`.
 */
export { Client, type Imported, pages, type Pattern, Rows } from "./client.js";
export { Code, TenureError, type Violation } from "./errors.js";
export { fromObject, type Target, Text, text, toObject } from "./objects.js";
export * as ops from "./ops.js";
export type { Options } from "./options.js";
export { NO_RETRY, type Retry, RETRY } from "./retry.js";
export {
  asOf, bound, type End, instant, type Known, type Moment, span, toDate, toText, UNBOUNDED, type When,
} from "./times.js";
