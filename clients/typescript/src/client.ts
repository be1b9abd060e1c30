/** A connection, and the namespace its helpers ask in. */
import { clone, create, type DescMessage, type MessageShape, toBinary } from "@bufbuild/protobuf";
import { type Client as Stub, createClient, type Transport } from "@connectrpc/connect";
import { TenureError } from "./errors.js";
import { AdminService, type CreateNamespaceResponse } from "./gen/tenure/v1/admin_service_pb.js";
import {
  DiffFactsRequestSchema,
  type DiffFactsResponse,
  FactService,
  GetTimelineRequestSchema,
  ImportFactsRequestSchema,
  type ImportFactsRequest,
  type ImportFactsResponse,
  ListFactsRequestSchema,
  type Operation,
  OperationSchema,
  type RejectedRow,
  TransactMode,
  type TransactResponse,
  type WatchFactsResponse,
} from "./gen/tenure/v1/fact_service_pb.js";
import { Direction, GraphService, type TraverseResponse } from "./gen/tenure/v1/graph_service_pb.js";
import { MemoryService, type RecallResponse } from "./gen/tenure/v1/memory_service_pb.js";
import type { Rectangle } from "./gen/tenure/v1/record_pb.js";
import type { Basis } from "./gen/tenure/v1/time_pb.js";
import { type Target, toObject } from "./objects.js";
import { type Retry, RETRY, sleep, waitMs } from "./retry.js";
import { asOf, type End, given, type Known, knownPoint, type Reading, span, type When } from "./times.js";

/** Bytes of one message either way. */
export const MESSAGE_BYTES_MAX = 16 * 1024 * 1024;
/** Rows of a page: as many as there may be, since pages are followed to the end. */
const PAGE_SIZE = 10_000;
/** Operations of one import stream: as many rejected rows as a reply lists one by one. */
const STREAM_OPERATIONS = 10_000;

export interface Pattern {
  subject?: string;
  predicates?: string[];
  object?: Target;
}

interface Listing {
  pageToken: string;
}

interface Page {
  nextPageToken: string;
}

/** Every page of a listing, from a stub's call and the request of the first page. */
export async function* pages<S extends DescMessage, P extends Page>(
  call: (request: MessageShape<S>) => Promise<P>,
  schema: S,
  request: MessageShape<S> & Listing,
): AsyncGenerator<P> {
  const asked = clone(schema, request) as MessageShape<S> & Listing;
  do {
    const page = await call(asked);
    yield page;
    asked.pageToken = page.nextPageToken;
  } while (asked.pageToken !== "");
}

/** The rows of a listing, asked for page by page as they are read. */
export class Rows<P extends Page & { basis?: Basis }, T> implements AsyncIterable<T> {
  #first: Promise<IteratorResult<P>> | undefined;

  constructor(
    private readonly pages: AsyncGenerator<P>,
    private readonly rowsOf: (page: P) => T[],
  ) {}

  /** Where the listing is answered. Asks for the first page where none was read. */
  async basis(): Promise<Basis | undefined> {
    return (await this.#firstPage()).basis;
  }

  /** All rows that were not read yet. */
  async all(): Promise<T[]> {
    const rows: T[] = [];
    for await (const row of this) rows.push(row);
    return rows;
  }

  async *[Symbol.asyncIterator](): AsyncIterator<T> {
    yield* this.rowsOf(await this.#firstPage());
    for await (const page of this.pages) yield* this.rowsOf(page);
  }

  async #firstPage(): Promise<P> {
    this.#first ??= this.pages.next();
    return (await this.#first).value as P;
  }
}

/** What became of the operations of an import, by outcome. `tx` is the last transaction. */
export type Imported = Omit<ImportFactsResponse, "$typeName" | "$unknown" | "rejectedRows"> & {
  /** Operations that were left out; `row` counts from 0. */
  rejectedRows: RejectedRow[];
};

/**
 * `fact`, `graph`, `memory` and `admin` are the generated clients, for everything; what is beside them are the
 * calls that are awkward to make by hand. Errors, deadlines and retries are the same for both.
 */
export class Client {
  readonly fact: Stub<typeof FactService>;
  readonly graph: Stub<typeof GraphService>;
  readonly memory: Stub<typeof MemoryService>;
  readonly admin: Stub<typeof AdminService>;

  constructor(
    transport: Transport,
    readonly namespace: string,
    private readonly retry: Retry = RETRY,
  ) {
    this.fact = createClient(FactService, transport);
    this.graph = createClient(GraphService, transport);
    this.memory = createClient(MemoryService, transport);
    this.admin = createClient(AdminService, transport);
  }

  createNamespace({ zone = "", allowExisting = true } = {}): Promise<CreateNamespaceResponse> {
    return this.admin.createNamespace({ name: this.namespace, zone, allowExisting });
  }

  /** One transaction. Without a `requestId` it gets one, so that it can be sent again. */
  transact(
    operations: Operation[],
    options: { requestId?: string; partial?: boolean; dryRun?: boolean } = {},
  ): Promise<TransactResponse> {
    const { requestId = crypto.randomUUID(), partial = false, dryRun = false } = options;
    const mode = partial ? TransactMode.PARTIAL : TransactMode.ATOMIC;
    return this.fact.transact({ namespace: this.namespace, requestId, operations, mode, dryRun });
  }

  /** Facts that match, at a point of both times, or overlapping a range of valid time. */
  facts(
    pattern: Pattern = {},
    options: Reading & { valid?: When; known?: Known; overlapping?: [End, End]; clamp?: boolean } = {},
  ): Rows<Awaited<ReturnType<Stub<typeof FactService>["listFacts"]>>, Rectangle> {
    const { valid, known, overlapping, clamp = false } = options;
    const request = create(ListFactsRequestSchema, {
      namespace: this.namespace,
      pattern: patternOf(pattern),
      asOf: asOf(valid, known, options),
      ...given("overlapping", overlapping && span(...overlapping, options.zone)),
      clamp,
      pageSize: PAGE_SIZE,
    });
    return new Rows(pages(this.fact.listFacts, ListFactsRequestSchema, request), (page) => page.rectangles);
  }

  /** What held over valid time. With `audit`, every rectangle ever believed. */
  timeline(
    subject: string,
    predicate: string,
    options: Reading & { known?: Known; audit?: boolean } = {},
  ): Rows<Awaited<ReturnType<Stub<typeof FactService>["getTimeline"]>>, Rectangle> {
    const request = create(GetTimelineRequestSchema, {
      namespace: this.namespace,
      subject,
      predicate,
      ...given("known", knownPoint(options.known, options)),
      audit: options.audit ?? false,
      pageSize: PAGE_SIZE,
    });
    return new Rows(pages(this.fact.getTimeline, GetTimelineRequestSchema, request), (page) => page.rectangles);
  }

  /** What differs between two points; all pages as one answer. */
  async diff(
    from: When,
    to: When,
    options: Reading & Pattern & { plainRows?: boolean } = {},
  ): Promise<Pick<DiffFactsResponse, "removed" | "added" | "changed" | "fromBasis" | "toBasis">> {
    const request = create(DiffFactsRequestSchema, {
      namespace: this.namespace,
      from: asOf(from, undefined, options),
      to: asOf(to, undefined, options),
      pattern: patternOf(options),
      plainRows: options.plainRows ?? false,
      pageSize: PAGE_SIZE,
    });
    let whole: DiffFactsResponse | undefined;
    for await (const page of pages(this.fact.diffFacts, DiffFactsRequestSchema, request)) {
      whole ??= { ...page, removed: [], added: [], changed: [] };
      whole.removed.push(...page.removed);
      whole.added.push(...page.added);
      whole.changed.push(...page.changed);
    }
    if (whole === undefined) throw new TypeError("a listing has a first page");
    return whole;
  }

  /** Facts within reach of an entity. */
  traverse(
    start: string,
    options: Reading & {
      hops?: number;
      direction?: "out" | "in" | "both";
      predicates?: string[];
      valid?: When;
      known?: Known;
      limit?: number;
      fanOut?: number;
    } = {},
  ): Promise<TraverseResponse> {
    const { hops = 1, direction = "out", predicates = [], valid, known, limit = 0, fanOut = 0 } = options;
    return this.graph.traverse({
      namespace: this.namespace,
      start,
      hops,
      direction: { out: Direction.OUT, in: Direction.IN, both: Direction.BOTH }[direction],
      predicates,
      asOf: asOf(valid, known, options),
      limit,
      fanOut,
    });
  }

  /** The facts and episodes that answer a question best, each with the reason it is there. */
  recall(
    query: string,
    options: Reading & { valid?: When; known?: Known; limit?: number; tokenBudget?: number } = {},
  ): Promise<RecallResponse> {
    const { valid, known, limit = 0, tokenBudget = 0 } = options;
    const at = asOf(valid, known, options);
    return this.memory.recall({ namespace: this.namespace, query, asOf: at, limit, tokenBudget });
  }

  /**
   * Transactions as they are committed, from `fromTx` on; by default from the next one. Leaving the
   * loop ends the stream, which it does not with the generated client: that one wants a signal.
   */
  async *watch(options: { fromTx?: bigint; pattern?: Pattern } = {}): AsyncGenerator<WatchFactsResponse> {
    const left = new AbortController();
    const { fromTx, pattern } = options;
    const request = {
      namespace: this.namespace,
      ...given("fromTx", fromTx),
      ...given("pattern", pattern && patternOf(pattern)),
    };
    try {
      yield* this.fact.watchFacts(request, { signal: left.signal, timeoutMs: 0 });
    } finally {
      left.abort();
    }
  }

  /**
   * Operations in bulk, `batch` in a transaction, read as they are sent. With `deduplicate` a row
   * that was recorded before changes nothing, so a lost connection is made good by sending the same
   * rows again. Not in a browser, which cannot send a stream.
   */
  async importFacts(
    operations: Iterable<Operation> | AsyncIterable<Operation>,
    { batch = 1_000, deduplicate = true } = {},
  ): Promise<Imported> {
    const imported: Imported = {
      applied: 0n, noChange: 0n, replayed: 0n, contested: 0n, blocked: 0n, noMatch: 0n, rejected: 0n, tx: 0n,
      rejectedRows: [],
    };
    for await (const messages of this.#streams(operations, batch, deduplicate)) {
      add(imported, await this.#import(messages, deduplicate));
    }
    return imported;
  }

  async #import(messages: ImportFactsRequest[], deduplicate: boolean): Promise<ImportFactsResponse> {
    for (let failures = 1; ; failures += 1) {
      try {
        return await this.fact.importFacts(streamOf(messages));
      } catch (cause) {
        const error = TenureError.from(cause);
        const wait = deduplicate ? waitMs(this.retry, error, true, failures) : undefined;
        if (wait === undefined) throw error;
        await sleep(wait);
      }
    }
  }

  /** Streams of messages, each small enough to be sent again. */
  async *#streams(
    operations: Iterable<Operation> | AsyncIterable<Operation>,
    batch: number,
    deduplicate: boolean,
  ): AsyncGenerator<ImportFactsRequest[]> {
    let messages: ImportFactsRequest[] = [];
    let [row, inStream, bytes] = [0, 0, 0];
    for await (const operation of operations) {
      if (inStream === STREAM_OPERATIONS) {
        yield messages;
        [messages, inStream] = [[], 0];
      }
      // Half of what a message may hold leaves room for what surrounds the operations.
      const size = toBinary(OperationSchema, operation).length + 8;
      let last = messages.at(-1);
      if (!last || last.operations.length >= batch || bytes + size > MESSAGE_BYTES_MAX / 2) {
        const { namespace } = this;
        last = create(ImportFactsRequestSchema, { namespace, deduplicate, firstRow: BigInt(row) });
        messages.push(last);
        bytes = 0;
      }
      last.operations.push(operation);
      bytes += size;
      row += 1;
      inStream += 1;
    }
    if (messages.length > 0) yield messages;
  }
}

function patternOf({ subject = "", predicates = [], object }: Pattern) {
  return { subject, predicates, ...given("object", object === undefined ? undefined : toObject(object)) };
}

async function* streamOf<T>(messages: T[]): AsyncGenerator<T> {
  yield* messages;
}

function add(imported: Imported, response: ImportFactsResponse): void {
  const counts = ["applied", "noChange", "replayed", "contested", "blocked", "noMatch", "rejected"] as const;
  for (const count of counts) imported[count] += response[count];
  imported.rejectedRows.push(...response.rejectedRows);
  if (response.tx > imported.tx) imported.tx = response.tx;
}
