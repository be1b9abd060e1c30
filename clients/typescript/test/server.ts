/** The server under test is told by TENURE_SERVER as `host:port`; each test has a namespace. */
import { connect } from "../src/node.js";
import type { Client } from "../src/index.js";

const told = process.env["TENURE_SERVER"];
if (told === undefined) throw new Error("TENURE_SERVER says where the server is, as host:port");
export const url = `http://${told}`;

export async function memory(): Promise<Client> {
  const client = connect(url, `typescript ${crypto.randomUUID()}`);
  await client.createNamespace();
  return client;
}
