import { answerReply } from "../wire/answer-reply.ts";
import { chunkedHead, encodeChunk, LAST_CHUNK, send } from "../wire/encode-http.ts";
import type { Step } from "../wire/reply.ts";
import { type FaultScene, type FaultTable, goodBytes, numberIn, reply, wire } from "./fault.ts";
import { stalled } from "./stalled.ts";

const STALL_TOKENS = 5;
const SLOW_SECONDS = 29;

/** Faults 42 and 43: what comes too slowly. */
export const TIME_FAULTS: FaultTable = {
  42: {
    title: "stall after n tokens",
    parameter: "n",
    perform: (scene) => reply(stalled(answerReply(scene), numberIn(scene, STALL_TOKENS))),
  },
  43: {
    title: "one byte every 29 s",
    parameter: "seconds, before the time scale",
    perform: (scene) => wire(byteByByte(scene)),
  },
};

function* byteByByte(scene: FaultScene): Generator<Step> {
  const { good, body } = goodBytes(scene);
  const ms = numberIn(scene, SLOW_SECONDS) * 1000 * scene.timeScale;
  yield send(chunkedHead(good, "keep-alive"));
  for (const byte of body) {
    yield send(encodeChunk(Buffer.of(byte)));
    yield { do: "wait", ms };
  }
  yield send(LAST_CHUNK);
  yield { do: "close" };
}
