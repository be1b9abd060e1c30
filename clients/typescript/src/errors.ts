/**
 * What a call can fail with. React to `reason`, which is stable; show the message. Reasons:
 * docs/errors.md of the server.
 */
import { Code, ConnectError } from "@connectrpc/connect";
import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from "./gen/google/rpc/error_details_pb.js";

export { Code };

const DOMAIN = "tenure";

/** A broken rule: the path of the field, its own reason, and a text for a person. */
export interface Violation {
  readonly field: string;
  readonly reason: string;
  readonly description: string;
}

/**
 * A call that failed. `reason` is empty where the server gave none, as for a lost connection.
 *
 * It is a `ConnectError`, because Connect wraps whatever else an interceptor throws. `metadata` are
 * therefore the headers and trailers of the call; what the reason comes with is in `info`.
 */
export class TenureError extends ConnectError {
  readonly reason: string;
  readonly violations: readonly Violation[];
  readonly info: Readonly<Record<string, string>>;
  /** Milliseconds after which the server wants to be asked again. */
  readonly retryAfterMs: number | undefined;

  constructor(cause: ConnectError) {
    super(cause.rawMessage, cause.code, cause.metadata, undefined, cause);
    this.details = cause.details;
    const info = cause.findDetails(ErrorInfoSchema).find((detail) => detail.domain === DOMAIN);
    const delay = cause.findDetails(RetryInfoSchema)[0]?.retryDelay;
    this.reason = info?.reason ?? "";
    this.violations = cause
      .findDetails(BadRequestSchema)
      .flatMap((detail) => detail.fieldViolations)
      .map(({ field, reason, description }) => ({ field, reason, description }));
    this.info = info?.metadata ?? {};
    this.retryAfterMs = delay && Number(delay.seconds) * 1_000 + delay.nanos / 1e6;
    if (this.reason !== "") this.message += ` [${this.reason}]`;
  }

  static override from(error: unknown): TenureError {
    return error instanceof TenureError ? error : new TenureError(ConnectError.from(error));
  }

  /** The test that is inherited is by shape, and every ConnectError would pass it. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && Object.getPrototypeOf(value) === TenureError.prototype;
  }
}
