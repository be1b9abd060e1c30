/**
 * When a call is sent again, and how long to wait before. Only what is safe is repeated: reads, and
 * writes that the server knows again by their request id. A repeated request is the same message, so
 * its id is the same. What the server refused before it wrote anything is safe for every call.
 */
import { isMessage, type Message } from "@bufbuild/protobuf";
import { Code, type Interceptor } from "@connectrpc/connect";
import { TenureError } from "./errors.js";
import { CreateNamespaceRequestSchema } from "./gen/tenure/v1/admin_service_pb.js";
import { TransactRequestSchema } from "./gen/tenure/v1/fact_service_pb.js";
import { AddEpisodesRequestSchema, AppendTurnsRequestSchema } from "./gen/tenure/v1/memory_service_pb.js";

/** Waits grow from `firstMs` by doubling up to `longestMs`, each somewhat shorter by chance. */
export interface Retry {
  attempts: number;
  firstMs: number;
  longestMs: number;
}

export const RETRY: Retry = { attempts: 5, firstMs: 100, longestMs: 5_000 };
/** Every call is sent once. */
export const NO_RETRY: Retry = { ...RETRY, attempts: 1 };

const NOTHING_WRITTEN = new Set(["QUEUE_FULL", "SHUTTING_DOWN"]);

/** Calls that change nothing. A call that is not here is sent once until someone has thought of it. */
export const READS: ReadonlySet<string> = new Set([
  "GetFact",
  "ListFacts",
  "BatchGetFacts",
  "GetTimeline",
  "GetBeliefHistory",
  "DiffFacts",
  "ExplainFact",
  "ListConflicts",
  "Traverse",
  "FindPaths",
  "GetEntity",
  "ResolveEntity",
  "ListEntities",
  "ListPredicates",
  "GetEpisode",
  "ListEpisodes",
  "GetSession",
  "ListTurns",
  "GetPolicy",
  "GetCoreMemory",
  "BuildContext",
  "Recall",
  "GetErasure",
  "ListErasures",
  "ListNamespaces",
  "GetStatistics",
  "ListCredentials",
  "ListAuditEvents",
  "GetQuotas",
  "GetUsage",
  "Verify",
  "Ping",
]);

/** Milliseconds to wait after so many failures, or nothing to give up. */
export function waitMs(retry: Retry, error: TenureError, repeatable: boolean, failures: number): number | undefined {
  const passes = NOTHING_WRITTEN.has(error.reason) || (error.code === Code.Unavailable && repeatable);
  if (!passes || failures >= retry.attempts) return undefined;
  const grown = Math.min(retry.longestMs, retry.firstMs * 2 ** (failures - 1));
  return Math.max(error.retryAfterMs ?? 0, grown * (0.5 + Math.random() / 2));
}

/** Whether a request that was answered may be answered again without another effect. */
export function isRepeatable(request: Message): boolean {
  if (isMessage(request, TransactRequestSchema)) return request.requestId !== "" || request.dryRun;
  if (isMessage(request, AddEpisodesRequestSchema)) return request.requestId !== "";
  if (isMessage(request, AppendTurnsRequestSchema)) return request.requestId !== "";
  if (isMessage(request, CreateNamespaceRequestSchema)) return request.allowExisting;
  const call = /^tenure\.v1\.(\w+)Request$/.exec(request.$typeName)?.[1];
  return call !== undefined && READS.has(call);
}

/** Typed errors for every call, and retries for those that are one message. */
export function retrying(retry: Retry): Interceptor {
  return (next) => async (request) => {
    if (request.stream) {
      const response = await typed(next(request));
      return response.stream ? { ...response, message: replies(response.message) } : response;
    }
    for (let failures = 1; ; failures += 1) {
      try {
        return await typed(next(request));
      } catch (error) {
        const repeatable = isRepeatable(request.message);
        const wait = error instanceof TenureError ? waitMs(retry, error, repeatable, failures) : undefined;
        if (wait === undefined) throw error;
        await sleep(wait, request.signal);
      }
    }
  };
}

/** A wait that the deadline of the call ends. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) throw TenureError.from(signal.reason);
  await new Promise<void>((resolve, reject) => {
    const ended = () => {
      clearTimeout(timer);
      reject(TenureError.from(signal?.reason));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", ended);
      resolve();
    }, ms);
    signal?.addEventListener("abort", ended, { once: true });
  });
}

async function typed<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    throw TenureError.from(cause);
  }
}

async function* replies<T>(messages: AsyncIterable<T>): AsyncIterable<T> {
  try {
    yield* messages;
  } catch (cause) {
    throw TenureError.from(cause);
  }
}
