/** What every kind of connection can be told. */
import type { Interceptor } from "@connectrpc/connect";
import { type Retry, RETRY, retrying } from "./retry.js";

export interface Options {
  retry?: Retry;
  /**
   * Deadline of calls that name none, streams included. Default 30,000. A stream that is to go on
   * names `{ timeoutMs: 0 }`.
   */
  timeoutMs?: number;
  /** Run inside of the retries, once for each attempt. */
  interceptors?: Interceptor[];
}

export function settle(options: Options) {
  const { retry = RETRY, timeoutMs = 30_000, interceptors = [] } = options;
  return { retry, interceptors: [retrying(retry), ...interceptors], defaultTimeoutMs: timeoutMs };
}
