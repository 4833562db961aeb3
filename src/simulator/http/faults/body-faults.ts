import { gzipSync } from "node:zlib";
import {
  type Connection,
  chunkedHead,
  encodeChunk,
  encodeHead,
  type HeaderLine,
  headLines,
  LAST_CHUNK,
  send,
} from "../wire/encode-http.ts";
import type { Reply, SocketAction } from "../wire/reply.ts";
import { type FaultContext, type FaultTable, goodBytes, numberIn, wire } from "./fault.ts";

const BOMB_MIB = 256;
const MIB = 1024 * 1024;
const MISSING_BYTES = 100;
const GZIP: readonly HeaderLine[] = [["content-encoding", "gzip"]];

/** Faults 20 to 25: the bytes of the body. */
export const BODY_FAULTS: FaultTable = {
  20: { title: "reset at byte k", parameter: "k, in bytes of the body", react: (context) => wire(resetAt(context)) },
  21: { title: "clean end at byte k", parameter: "k, in bytes of the body", react: (context) => wire(endAt(context)) },
  22: {
    title: "content-length shorter than the body",
    parameter: "`long`: longer than the body instead",
    react: (context) => wire(wrongLength(context)),
  },
  23: {
    title: "last chunk missing",
    parameter: "`close`: after `connection: close`, which the fetch of Node 20 takes for a complete body",
    react: (context) => wire(withoutLastChunk(context)),
  },
  24: { title: "gzip cut", parameter: "k, in bytes of the gzip", react: (context) => wire(cutGzip(context)) },
  25: { title: "gzip bomb", parameter: "MiB when unpacked", react: (context) => wire(gzipBomb(context)) },
};

function* resetAt(context: FaultContext): Generator<SocketAction> {
  const { good, body } = goodBytes(context);
  const part = body.subarray(0, numberIn(context, Math.floor(body.length / 2)));
  yield send(good.isStream ? chunkedHead(good, "keep-alive") : sizedHead(good, body.length, "keep-alive"));
  yield send(good.isStream ? encodeChunk(part) : part);
  yield { do: "reset" };
}

/** Valid HTTP: only the content shows that the body is incomplete. */
function* endAt(context: FaultContext): Generator<SocketAction> {
  const { good, body } = goodBytes(context);
  const part = body.subarray(0, numberIn(context, Math.floor(body.length / 2)));
  yield send(good.isStream ? chunkedHead(good) : sizedHead(good, part.length));
  yield send(good.isStream ? Buffer.concat([encodeChunk(part), LAST_CHUNK]) : part);
  yield { do: "close" };
}

function* wrongLength(context: FaultContext): Generator<SocketAction> {
  const { good, body } = goodBytes(context);
  const isLong = context.parameter === "long";
  yield send(sizedHead(good, isLong ? body.length + MISSING_BYTES : Math.floor(body.length / 2), "keep-alive"));
  yield send(body);
  yield { do: "close" };
}

function* withoutLastChunk(context: FaultContext): Generator<SocketAction> {
  const { good, body } = goodBytes(context);
  yield send(chunkedHead(good, context.parameter === "close" ? "close" : "keep-alive"));
  yield send(encodeChunk(body));
  yield { do: "close" };
}

function* cutGzip(context: FaultContext): Generator<SocketAction> {
  const { good, body } = goodBytes(context);
  const packed = gzipSync(body);
  yield send(chunkedHead(good, "close", GZIP));
  yield send(encodeChunk(packed.subarray(0, numberIn(context, Math.floor(packed.length / 2)))));
  yield send(LAST_CHUNK);
  yield { do: "close" };
}

/** Gzip allows many members: one MiB is compressed once and sent repeatedly, so the bomb costs no memory here. */
function* gzipBomb(context: FaultContext): Generator<SocketAction> {
  const { good, body } = goodBytes(context);
  const padding = good.isStream ? `:${" ".repeat(MIB - 2)}\n` : " ".repeat(MIB);
  const member = encodeChunk(gzipSync(padding));
  yield send(chunkedHead(good, "close", GZIP));
  for (let sent = 0; sent < numberIn(context, BOMB_MIB); sent += 1) yield send(member);
  yield send(encodeChunk(gzipSync(body)));
  yield send(LAST_CHUNK);
  yield { do: "close" };
}

function sizedHead(good: Reply, length: number, connection?: Connection): Buffer {
  return encodeHead(good.status, [...headLines(good, connection), ["content-length", String(length)]]);
}
