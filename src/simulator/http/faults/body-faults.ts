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
import type { Reply, Step } from "../wire/reply.ts";
import { type FaultScene, type FaultTable, goodBytes, numberIn, wire } from "./fault.ts";

const BOMB_MIB = 256;
const MIB = 1024 * 1024;
const MISSING_BYTES = 100;
const GZIP: readonly HeaderLine[] = [["content-encoding", "gzip"]];

/** Faults 20 to 25: the body's bytes. */
export const BODY_FAULTS: FaultTable = {
  20: { title: "reset at byte k", parameter: "k, in bytes of the body", perform: (scene) => wire(resetAt(scene)) },
  21: { title: "clean end at byte k", parameter: "k, in bytes of the body", perform: (scene) => wire(endAt(scene)) },
  22: {
    title: "content-length shorter than the body",
    parameter: "`long`: longer than the body instead",
    perform: (scene) => wire(wrongLength(scene)),
  },
  23: {
    title: "last chunk missing",
    parameter: "`close`: after `connection: close`, where the fetch of Node 20 takes it for a proper end",
    perform: (scene) => wire(withoutLastChunk(scene)),
  },
  24: { title: "gzip cut", parameter: "k, in bytes of the gzip", perform: (scene) => wire(cutGzip(scene)) },
  25: { title: "gzip bomb", parameter: "MiB when unpacked", perform: (scene) => wire(gzipBomb(scene)) },
};

function* resetAt(scene: FaultScene): Generator<Step> {
  const { good, body } = goodBytes(scene);
  const part = body.subarray(0, numberIn(scene, Math.floor(body.length / 2)));
  yield send(good.isStream ? chunkedHead(good, "keep-alive") : sizedHead(good, body.length, "keep-alive"));
  yield send(good.isStream ? encodeChunk(part) : part);
  yield { do: "reset" };
}

/** HTTP has nothing against it: only what is in the body can tell that it is not whole. */
function* endAt(scene: FaultScene): Generator<Step> {
  const { good, body } = goodBytes(scene);
  const part = body.subarray(0, numberIn(scene, Math.floor(body.length / 2)));
  yield send(good.isStream ? chunkedHead(good) : sizedHead(good, part.length));
  yield send(good.isStream ? Buffer.concat([encodeChunk(part), LAST_CHUNK]) : part);
  yield { do: "close" };
}

function* wrongLength(scene: FaultScene): Generator<Step> {
  const { good, body } = goodBytes(scene);
  const isLong = scene.parameter === "long";
  yield send(sizedHead(good, isLong ? body.length + MISSING_BYTES : Math.floor(body.length / 2), "keep-alive"));
  yield send(body);
  yield { do: "close" };
}

function* withoutLastChunk(scene: FaultScene): Generator<Step> {
  const { good, body } = goodBytes(scene);
  yield send(chunkedHead(good, scene.parameter === "close" ? "close" : "keep-alive"));
  yield send(encodeChunk(body));
  yield { do: "close" };
}

function* cutGzip(scene: FaultScene): Generator<Step> {
  const { good, body } = goodBytes(scene);
  const packed = gzipSync(body);
  yield send(chunkedHead(good, "close", GZIP));
  yield send(encodeChunk(packed.subarray(0, numberIn(scene, Math.floor(packed.length / 2)))));
  yield send(LAST_CHUNK);
  yield { do: "close" };
}

/** A gzip may have many members: one MiB is packed once and sent again and again, so that the bomb costs us nothing. */
function* gzipBomb(scene: FaultScene): Generator<Step> {
  const { good, body } = goodBytes(scene);
  const padding = good.isStream ? `:${" ".repeat(MIB - 2)}\n` : " ".repeat(MIB);
  const member = encodeChunk(gzipSync(padding));
  yield send(chunkedHead(good, "close", GZIP));
  for (let sent = 0; sent < numberIn(scene, BOMB_MIB); sent += 1) yield send(member);
  yield send(encodeChunk(gzipSync(body)));
  yield send(LAST_CHUNK);
  yield { do: "close" };
}

function sizedHead(good: Reply, length: number, connection?: Connection): Buffer {
  return encodeHead(good.status, [...headLines(good, connection), ["content-length", String(length)]]);
}
