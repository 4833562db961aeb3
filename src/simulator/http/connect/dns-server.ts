import { createSocket } from "node:dgram";
import { Resolver } from "node:dns";
import { once } from "node:events";
import type { LookupFunction } from "node:net";
import { HOST } from "./listen.ts";
import type { ConnectFaultServer } from "./start-connect-fault.ts";

/** The reply to every query. */
type DnsAnswer = { readonly type: "address"; readonly address: string } | { readonly type: "no-such-name" };

const HEADER_BYTES = 12;
const TYPE_A = 1;
/** A response, recursion desired and available. */
const RESPONSE_FLAGS = 0x8180;
const NO_SUCH_NAME = 3;
const TIMEOUT_MS = 500;

/** Faults 3 and 4: a name server that gives the same reply to every query, over real UDP. */
export async function dnsServer(url: (name: string) => string, answer: DnsAnswer): Promise<ConnectFaultServer> {
  const server = createSocket("udp4");
  server.on("message", (question, { port, address }) => server.send(respond(question, answer), port, address));
  server.bind(0, HOST);
  await once(server, "listening");
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 1 });
  resolver.setServers([`${HOST}:${server.address().port}`]);
  return {
    url: url("api.provider.example"),
    lookup: lookupThrough(resolver),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function lookupThrough(resolver: Resolver): LookupFunction {
  return (hostname, options, callback) => {
    resolver.resolve4(hostname, (fault, addresses = []) => {
      if (fault !== null) callback(fault, "", 4);
      else if (options.all === true)
        callback(
          null,
          addresses.map((address) => ({ address, family: 4 })),
        );
      else callback(null, addresses[0] ?? "", 4);
    });
  };
}

function respond(question: Buffer, answer: DnsAnswer): Buffer {
  const end = endOfName(question) + 4;
  const isForAddress = question.readUInt16BE(end - 4) === TYPE_A;
  const record = answer.type === "address" && isForAddress ? addressRecord(answer.address) : Buffer.alloc(0);
  const head = Buffer.alloc(HEADER_BYTES);
  question.copy(head, 0, 0, 2);
  head.writeUInt16BE(RESPONSE_FLAGS | (answer.type === "no-such-name" ? NO_SUCH_NAME : 0), 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(record.length > 0 ? 1 : 0, 6);
  return Buffer.concat([head, question.subarray(HEADER_BYTES, end), record]);
}

/** A name is a sequence of labels, each after its length, and a final zero. */
function endOfName(question: Buffer): number {
  let at = HEADER_BYTES;
  while (question[at] !== 0 && at < question.length) at += (question[at] ?? 0) + 1;
  return at + 1;
}

function addressRecord(address: string): Buffer {
  // The name as a pointer to the question, type A, class IN, 60 s, four bytes.
  return Buffer.from([0xc0, HEADER_BYTES, 0, TYPE_A, 0, 1, 0, 0, 0, 60, 0, 4, ...address.split(".").map(Number)]);
}
