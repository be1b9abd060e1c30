/** Node: gRPC over HTTP/2. */
import { createGrpcTransport } from "@connectrpc/connect-node";
import { Client, MESSAGE_BYTES_MAX } from "./client.js";
import { type Options, settle } from "./options.js";

/** A client of `http://host:port`. The connection is made with the first call. */
export function connect(baseUrl: string, namespace = "default", options: Options = {}): Client {
  const { retry, interceptors, defaultTimeoutMs } = settle(options);
  const transport = createGrpcTransport({
    baseUrl,
    interceptors,
    defaultTimeoutMs,
    writeMaxBytes: MESSAGE_BYTES_MAX,
    // An exported transaction may be larger than its request was.
    readMaxBytes: 2 * MESSAGE_BYTES_MAX,
  });
  return new Client(transport, namespace, retry);
}
