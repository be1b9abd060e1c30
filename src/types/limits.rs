//! Every bound, with its unit. A request over a bound gets an error that names it.

/// Bytes of a name (entity, predicate, source, namespace), in UTF-8.
pub const NAME_BYTES_MAX: usize = 1_024;
/// Bytes of an owner or of an access label, in UTF-8.
pub const LABEL_BYTES_MAX: usize = 256;
/// Access labels of one statement, and of one credential.
pub const LABELS_MAX: usize = 64;
/// Words of a name that is looked for inside a longer text.
pub const NAME_WORDS_MAX: usize = 16;
/// Bytes of a text literal.
pub const VALUE_BYTES_MAX: usize = 16 * 1_024;
/// Bytes of the sentence that comes with a statement.
pub const STATEMENT_BYTES_MAX: usize = 16 * 1_024;
/// Bytes of the text of an episode.
pub const EPISODE_BYTES_MAX: usize = 64 * 1_024;
/// Bytes of a date as written.
pub const DATE_BYTES_MAX: usize = 64;
/// Bytes of an idempotency key.
pub const REQUEST_ID_BYTES_MAX: usize = 128;
/// Numbers of a vector.
pub const VECTOR_NUMBERS_MAX: usize = 4_096;
/// Bytes of a text that a model reads; the rest of a longer text is left out.
pub const MODEL_TEXT_BYTES_MAX: usize = 64 * 1_024;
/// Bytes of a key that data is encrypted with: neither more nor fewer.
pub const KEY_BYTES: usize = 32;
/// Bytes of a key as it is written, without space around it.
pub const KEY_TEXT_BYTES_MAX: usize = 128;
/// Bytes of a page token.
pub const PAGE_TOKEN_BYTES_MAX: usize = 8 * 1_024;

/// Operations of one request.
pub const OPS_MAX: usize = 10_000;
/// Operations of one imported transaction: a composition was exported as the statements it recorded.
pub const IMPORT_OPS_MAX: usize = 3 * OPS_MAX;
/// Statements another may name as what it was derived from, or stands against.
pub const STATEMENT_IDS_MAX: usize = 64;
/// Episodes another may name as what it was drawn from.
pub const EPISODE_IDS_MAX: usize = 64;
/// Patterns of one batch read.
pub const PATTERNS_MAX: usize = 1_000;
/// Predicates of one filter.
pub const PREDICATES_MAX: usize = 256;
/// Bytes of one request or reply message.
pub const MESSAGE_BYTES_MAX: usize = 16 * 1_024 * 1_024;
/// Bytes of any one text in an error. Errors travel in HTTP/2 trailers, of which many clients take
/// 8 KiB.
pub const STATUS_MESSAGE_BYTES_MAX: usize = 256;
/// Bytes of the violations that one error lists; past it they are only counted.
pub const STATUS_VIOLATIONS_BYTES_MAX: usize = 4 * 1_024;

/// Bytes of rows of one page; a page ends early rather than pass it.
pub const PAGE_BYTES_MAX: usize = 8 * 1_024 * 1_024;
/// Rows of one page, and of one traversal.
pub const ROWS_MAX: usize = 10_000;
/// Rows of one page when the caller names no number.
pub const ROWS_DEFAULT: usize = 100;
/// Facts of a graph that is read as a whole.
pub const GRAPH_FACTS_MAX: usize = 100_000;
/// Hops of one traversal.
pub const HOPS_MAX: u32 = 3;
/// Hops of one path.
pub const PATH_HOPS_MAX: u32 = 6;
/// Hops of one path when the caller names no number.
pub const PATH_HOPS_DEFAULT: u32 = 3;
/// Paths of one answer.
pub const PATHS_MAX: usize = 1_000;
/// Paths of one answer when the caller names no number.
pub const PATHS_DEFAULT: usize = 10;
/// Words of a question in which names are looked for.
pub const QUERY_WORDS_MAX: usize = 256;
/// Bytes of a question.
pub const QUERY_BYTES_MAX: usize = 16 * 1_024;
/// Entities a question starts from.
pub const SEEDS_MAX: usize = 64;
/// Hits of one recall.
pub const HITS_MAX: usize = 1_000;
/// Hits of one recall when the caller names no number.
pub const HITS_DEFAULT: usize = 10;
/// Hops of a recall when the caller names no number.
pub const RECALL_HOPS_DEFAULT: u32 = 2;
/// Hits that variety chooses from: the best of them.
pub const DIVERSIFIED_HITS_MAX: usize = 1_000;
/// Hits that a cross-encoder is asked to put in order.
pub const RERANK_HITS_MAX: usize = 50;
/// Tokens of the texts of one recall.
pub const TOKEN_BUDGET_MAX: usize = 1_000_000;
/// Facts that a recall follows from one entity in one direction, newest first.
pub const RECALL_FAN_OUT: usize = 64;
/// Edges that a recall looks at in all.
pub const RECALL_EDGES_MAX: u64 = 20_000;
/// Edges one traversal or path search may look at before it says `truncated`.
pub const EDGES_EXAMINED_MAX: u64 = 2_000_000;
/// Rejected rows one import stream reports one by one; past it they are only counted.
pub const IMPORT_ERRORS_MAX: usize = 10_000;

/// Turns of one request.
pub const TURNS_MAX: usize = 1_000;
/// Lines of a history that is evaluated.
pub const EVAL_LINES_MAX: usize = 100_000;
/// Values that answer one of its questions, and that did so once.
pub const EVAL_VALUES_MAX: usize = 64;
/// Sessions of a history that is made up.
pub const EVAL_SESSIONS_MAX: u32 = 16;
/// Seconds an evaluation waits for what was said to be embedded.
pub const EVAL_WAIT_SECONDS: u64 = 60;
/// Tokens of a window when the caller names no number.
pub const WINDOW_TOKENS_DEFAULT: usize = 3_000;
/// Share of the budget, in percent, past which older turns are folded into a summary.
pub const FOLD_PERCENT: usize = 80;
/// Turns that stay as they are beside a summary.
pub const RAW_TURNS_MIN: usize = 6;
/// Turns that a sliding window keeps, whatever they take.
pub const SLIDING_TURNS_MIN: usize = 2;
/// Turns that a hierarchical window shows as they are.
pub const HIERARCHICAL_RAW_TURNS: usize = 10;
/// Turns before those, which a hierarchical window summarises in detail.
pub const DETAILED_TURNS: usize = 30;
/// Tokens of the summary of a session.
pub const SUMMARY_TOKENS_MAX: usize = 500;
/// Tokens of the summary of what lies furthest back in a hierarchical window.
pub const BROAD_SUMMARY_TOKENS_MAX: usize = 250;
/// Turns that are summarised at once; more are merged piece by piece.
pub const SUMMARY_CHUNK_TURNS: usize = 512;
/// Sentences that a summary is chosen from, the newest ones.
pub const SUMMARY_SENTENCES_MAX: usize = 2_048;
/// Times a summary is merged from the one before it until it is made from the turns again.
pub const SUMMARY_GENERATIONS_MAX: u32 = 8;
/// Sessions of one process that may be appended to at once without waiting for one another.
pub const SESSION_LOCKS: usize = 64;

/// Calls of a chat model for one summary; of more turns it is extractive.
pub const SUMMARY_CALLS_MAX: usize = 8;
/// Bytes of turns of one call for a summary. JSON around them takes room too.
pub const SUMMARY_CALL_BYTES_MAX: usize = 256 * 1_024;
/// Seconds that a summary waits for a chat model, over all its calls.
pub const SUMMARY_SECONDS_MAX: u64 = 60;
/// Milliseconds that an append waits for the summary it has caused; then it is made behind the reply.
pub const FOLD_WAIT_MILLIS: u64 = 1_000;
/// Pieces of work with a chat model behind replies, at once.
pub const CHAT_TASKS_MAX: usize = 16;
/// Scopes of one process whose observations are remembered as having led to nothing.
pub const REFLECTION_MARKS_MAX: usize = 4_096;
/// Observations of one reflection: each may be the evidence of a conclusion.
pub const OBSERVATIONS_MAX: usize = EPISODE_IDS_MAX;
/// Observations of one reflection when the caller names no number.
pub const OBSERVATIONS_DEFAULT: usize = 50;
/// Observations below which there is nothing to conclude.
pub const OBSERVATIONS_MIN: usize = 2;
/// Days whose costs are kept, today among them.
pub const USAGE_DAYS_KEPT: u32 = 62;
/// Months whose costs are kept, this one among them.
pub const USAGE_MONTHS_KEPT: u32 = 24;

/// Stretches of text whose tokens are not counted again.
pub const TOKEN_COUNTS_MAX: usize = 65_536;
/// Sentences that the memory gave out and recognises when they come back.
pub const ECHOES_MAX: usize = 16_384;
/// Seconds that a chat model may take to read the texts of one request.
pub const EXTRACT_SECONDS_MAX: u64 = 60;
/// Texts of one request to remember.
pub const MEMORIES_MAX: usize = 100;
/// Bytes of the label of a block of core memory.
pub const CORE_LABEL_BYTES_MAX: usize = 64;
/// Bytes of a block of core memory.
pub const CORE_BLOCK_BYTES_MAX: usize = 8 * 1_024;
/// Blocks of core memory of one scope.
pub const CORE_BLOCKS_MAX: usize = 32;
/// Facts and texts that a context is made from.
pub const CONTEXT_HITS_MAX: usize = 50;

/// Reads at which half of the most is reached that reading can stretch the life of an item by.
pub const READS_HALFWAY: f64 = 5.0;
/// Tokens of the short text that takes the place of a long one; a text of no more stays as it is.
pub const COMPACT_TOKENS_MAX: usize = 64;
/// Documents that one step of a sweep looks at, unless the caller says.
pub const SWEEP_DOCUMENTS_DEFAULT: usize = 1_000;
/// The same at most. Each may take two operations.
pub const SWEEP_DOCUMENTS_MAX: usize = 5_000;
/// Documents that a sweep looks at before the writer may publish.
pub const SWEEP_VISIT_DOCUMENTS: u32 = 20_000;
/// Hours between two sweeps of a server, unless it is told.
pub const SWEEP_HOURS_DEFAULT: u64 = 0;
/// The same at most: a year.
pub const SWEEP_HOURS_MAX: u64 = 365 * 24;
/// Days of any bound of a policy: a hundred years.
pub const POLICY_DAYS_MAX: u32 = 36_500;
/// Decay of a policy, per day.
pub const POLICY_DECAY_MAX: f64 = 10.0;
/// Items, observations or tokens of any bound of a policy.
pub const POLICY_COUNT_MAX: u32 = 1_000_000;
/// Predicates that a policy says the kind of.
pub const POLICY_PREDICATES_MAX: usize = 1_000;
/// Models that a policy has a threshold for.
pub const POLICY_MODELS_MAX: usize = 64;

/// Tokens of core memory in a context.
pub const CONTEXT_CORE_TOKENS: u32 = 2_000;
/// Tokens of known facts in a context.
pub const CONTEXT_FACT_TOKENS: u32 = 3_000;
/// Tokens of what bears on the work at hand in a context.
pub const CONTEXT_PROJECT_TOKENS: u32 = 8_000;
/// Tokens of the conversation in a context.
pub const CONTEXT_CONVERSATION_TOKENS: u32 = 4_000;

/// Documents that a view takes at once.
pub const VIEW_CHUNK_DOCUMENTS: usize = 1_024;
/// Documents of the text view that are in memory alone before they are committed.
pub const TAIL_DOCUMENTS_MAX: usize = 20_000;
/// Fewer documents than this are not committed: adding them again takes less.
pub const TAIL_DOCUMENTS_MIN: usize = 2_000;
/// Vectors that are found but not stored yet.
pub const VECTORS_UNSAVED_MAX: usize = 4_096;
/// Milliseconds a recall waits for a write before it to be found.
pub const CATCH_UP_MILLIS_MAX: u64 = 2_000;
/// Milliseconds a recall waits for the vectors of a write before it.
pub const EMBED_MILLIS_MAX: u64 = 200;
/// Statements behind a hit that are shown.
pub const HIT_SOURCES_MAX: usize = 8;
/// Bytes of one term of the text view; a longer word is found by what it begins with.
pub const TEXT_TERM_BYTES_MAX: usize = 128;
/// Distinct terms of one query that are looked up, the first ones of the text.
pub const TEXT_QUERY_TERMS_EXAMINED_MAX: usize = 1_024;
/// Distinct terms of one query that are searched, the rarest of those looked up.
pub const TEXT_QUERY_TERMS_MAX: usize = 64;
/// Bytes of memory in which the text index gathers the documents of one commit.
pub const TEXT_INDEXING_BYTES: usize = 15_000_000;
/// Bounds of long lists of documents that one segment of the text index keeps once it has seen them.
pub const TEXT_BOUNDS_MAX: usize = 16_384;
/// Differences one verification of the text view describes; past it they are only counted.
pub const TEXT_DIFFERENCES_MAX: usize = 8;

/// Commands that wait for the writer.
pub const QUEUE_COMMANDS_MAX: usize = 4_096;
/// Commands that share one commit.
pub const BATCH_COMMANDS_MAX: usize = 1_024;
/// Operations that share one commit; a single command may hold [`OPS_MAX`].
pub const BATCH_OPS_MAX: usize = 20_000;
/// Operations of one import stream that wait for their receipts: as many as a commit holds, so that
/// the next commit fills up while one is written.
pub const IMPORT_OPS_WAITING_MAX: usize = 2 * BATCH_OPS_MAX;
/// Pieces of folded timelines the writer keeps at hand.
pub const GROUP_CACHE_PIECES_MAX: usize = 500_000;
/// Age at which an idempotency key is forgotten, in microseconds: seven days.
pub const REQUEST_AGE_MAX_MICROS: i64 = 7 * 24 * 3_600 * 1_000_000;
/// Texts of one request to an embedding model.
pub const EMBED_INPUTS_MAX: usize = 512;
/// Bytes of text of one request to an embedding model.
pub const EMBED_INPUT_BYTES_MAX: usize = 1_024 * 1_024;
/// Bytes a model may spend on one number of its reply.
pub const EMBED_NUMBER_BYTES_MAX: usize = 32;
/// Documents of one request to a reranker.
pub const RERANK_DOCUMENTS_MAX: usize = 1_000;
/// Bytes of a model's reply beside its numbers, and bytes for each document of a reranker's.
pub const MODEL_REPLY_BYTES_MAX: usize = 64 * 1_024;
/// Bytes of what a model says of a refusal that are told on.
pub const MODEL_MESSAGE_BYTES_MAX: usize = 200;
/// Bytes of text of one request to a chat model.
pub const CHAT_TEXT_BYTES_MAX: usize = 512 * 1_024;
/// Tokens of one reply of a chat model.
pub const CHAT_REPLY_TOKENS_MAX: u32 = 8_192;
/// Bytes a chat model may spend on one token of its reply.
pub const CHAT_TOKEN_BYTES_MAX: usize = 32;
/// Bytes that are kept of a chat model's reply that cannot be read.
pub const CHAT_RAW_BYTES_MAX: usize = EPISODE_BYTES_MAX;
/// Verdicts that one request asks of a chat model.
pub const VERDICTS_MAX: usize = 16;
/// Texts of one request to a chat model.
pub const CHAT_TEXTS_MAX: usize = 256;
/// Claims, conclusions or verdicts that are taken from one reply of a chat model.
pub const CHAT_CLAIMS_MAX: usize = 64;
/// Bytes of the key of a model.
pub const MODEL_KEY_BYTES_MAX: usize = 8 * 1_024;
/// Attempts of one request to a model.
pub const MODEL_ATTEMPTS_MAX: u32 = 10;
/// Milliseconds one attempt may last.
pub const MODEL_ATTEMPT_MILLIS_MAX: u64 = 10 * 60 * 1_000;
/// Milliseconds between two attempts, also where a model asks for more: then there is no other.
pub const MODEL_WAIT_MILLIS_MAX: u64 = 30 * 1_000;
/// Embedded questions kept at hand.
pub const QUERY_CACHE_VECTORS_MAX: usize = 1_024;
/// Bytes of a question that is kept at hand.
pub const QUERY_CACHE_TEXT_BYTES_MAX: usize = 2 * 1_024;
/// Bytes of text that are embedded without leaving the thread of the request.
pub const EMBED_INLINE_BYTES_MAX: usize = 4 * 1_024;
/// Messages of one stream that wait for a slow reader.
pub const STREAM_MESSAGES_MAX: usize = 16;
/// Rows of one streamed message, and transactions of one read of the log.
pub const STREAM_ROWS_MAX: usize = 1_000;
/// Bytes of a backup that are read in one transaction; one row is read whole, however large.
pub const BACKUP_STEP_BYTES: usize = 1_024 * 1_024;
/// Bytes of the manifest of a backup.
pub const BACKUP_MANIFEST_BYTES_MAX: usize = 256 * 1_024 * 1_024;
/// Seconds a shutdown waits for requests in flight.
pub const SHUTDOWN_SECONDS_MAX: u64 = 10;
/// Namespaces of one data directory.
pub const NAMESPACES_MAX: usize = 100_000;

/// Credentials of one data directory.
pub const CREDENTIALS_MAX: usize = 100_000;
/// Seconds a credential may be made for: ten years.
pub const CREDENTIAL_SECONDS_MAX: i64 = 10 * 365 * 24 * 3_600;
/// Seconds for which the key before a rotation may stay valid: thirty days.
pub const GRACE_SECONDS_MAX: i64 = 30 * 24 * 3_600;
/// Bytes of what a caller sends as a credential: tokens carry claims.
pub const CREDENTIAL_BYTES_MAX: usize = 8 * 1_024;
/// Bytes that the key of the operator has at least: it is kept as no more than a digest.
pub const ADMIN_KEY_BYTES_MIN: usize = 32;
/// Bytes of a set of public keys.
pub const JWKS_BYTES_MAX: usize = 1_024 * 1_024;
/// Public keys of one set.
pub const JWKS_KEYS_MAX: usize = 256;
/// Seconds one reading of a key set over the network may take.
pub const JWKS_FETCH_SECONDS_MAX: u64 = 10;
/// Seconds after which a key set is read again.
pub const JWKS_REFRESH_SECONDS: u64 = 5 * 60;
/// Seconds between two readings, however often tokens name a key that is not in the set.
pub const JWKS_REFRESH_SECONDS_MIN: u64 = 10;
/// Seconds that the clocks of who makes tokens and who checks them may differ.
pub const TOKEN_LEEWAY_SECONDS: i64 = 5;
/// Refused credentials of one peer address that are looked at without a rest.
pub const FAILURES_MAX: u32 = 20;
/// Peer addresses whose refused credentials are counted.
pub const FAILING_PEERS_MAX: usize = 10_000;
/// Events of each kind, denials and changes, that the audit log keeps.
pub const AUDIT_EVENTS_MAX: u64 = 50_000;
/// Denials of one second that are told apart; past it they are counted together.
pub const AUDIT_DENIALS_MAX: usize = 256;
/// Bytes of any one text in the audit log.
pub const AUDIT_TEXT_BYTES_MAX: usize = 256;
/// Namespaces that metrics tell apart; all others are added up.
pub const METRIC_NAMESPACES_MAX: usize = 64;
/// Timed parts of one call that are noted; an import has one for each of its commits.
pub const CALL_STEPS_MAX: usize = 64;
/// Ended spans that wait to be sent; past it they are dropped.
pub const SPANS_QUEUED_MAX: usize = 2_048;
/// Spans of one message to a collector.
pub const SPANS_SENT_MAX: usize = 512;
/// Seconds one message to a collector may take.
pub const SPANS_SECONDS_MAX: u64 = 5;
/// Connections open at once.
pub const CONNECTIONS_MAX: usize = 10_000;
/// Requests that one connection has open at once.
pub const CONNECTION_REQUESTS_MAX: u32 = 1_000;
/// Seconds a new connection has for its TLS handshake.
pub const HANDSHAKE_SECONDS_MAX: u64 = 10;
/// Seconds a connection may stay without a byte either way.
pub const CONNECTION_IDLE_SECONDS_MAX: u64 = 15 * 60;
/// Seconds between two questions whether the other side of an HTTP/2 connection is still there, and
/// for the answer.
pub const KEEPALIVE_SECONDS: u64 = 60;
/// Seconds an import waits for the next message of its caller.
pub const IMPORT_IDLE_SECONDS_MAX: u64 = 60;

const _: () = assert!(HITS_MAX <= DIVERSIFIED_HITS_MAX && RERANK_HITS_MAX <= HITS_MAX);
const _: () = assert!(SWEEP_DOCUMENTS_DEFAULT <= SWEEP_DOCUMENTS_MAX);
const _: () =
    assert!(2 * SWEEP_DOCUMENTS_MAX <= OPS_MAX && COMPACT_TOKENS_MAX <= SUMMARY_TOKENS_MAX);
const _: () = assert!(ROWS_DEFAULT <= ROWS_MAX);
const _: () = assert!(OBSERVATIONS_DEFAULT <= OBSERVATIONS_MAX);
const _: () = assert!(2 * SUMMARY_CALL_BYTES_MAX <= CHAT_TEXT_BYTES_MAX);
const _: () = assert!(2 * PAGE_BYTES_MAX <= MESSAGE_BYTES_MAX);
const _: () = assert!(PATHS_DEFAULT <= PATHS_MAX);
const _: () = assert!(HOPS_MAX <= PATH_HOPS_MAX && PATH_HOPS_DEFAULT <= PATH_HOPS_MAX);
const _: () = assert!(OPS_MAX <= BATCH_OPS_MAX && OPS_MAX <= IMPORT_OPS_MAX);
const _: () = assert!(STREAM_ROWS_MAX <= ROWS_MAX);
const _: () = assert!(TEXT_QUERY_TERMS_MAX <= TEXT_QUERY_TERMS_EXAMINED_MAX);
const _: () = assert!(BATCH_COMMANDS_MAX <= QUEUE_COMMANDS_MAX);
