/**
 * A browser: gRPC-Web over fetch, on the same port. A browser cannot send a stream, so there is no
 * import from one.
 */
import { createGrpcWebTransport } from "@connectrpc/connect-web";
import { Client } from "./client.js";
import { type Options, settle } from "./options.js";

/** A client of `http://host:port`. */
export function connect(baseUrl: string, namespace = "default", options: Options = {}): Client {
  const { retry, interceptors, defaultTimeoutMs } = settle(options);
  return new Client(createGrpcWebTransport({ baseUrl, interceptors, defaultTimeoutMs }), namespace, retry);
}
