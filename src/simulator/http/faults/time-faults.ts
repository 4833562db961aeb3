import { answerReply } from "../wire/answer-reply.ts";
import { chunkedHead, encodeChunk, LAST_CHUNK, send } from "../wire/encode-http.ts";
import type { SocketAction } from "../wire/reply.ts";
import { type FaultContext, type FaultTable, goodBytes, numberIn, reply, wire } from "./fault.ts";
import { stalled } from "./stalled.ts";

const STALL_TOKENS = 5;
const SLOW_SECONDS = 29;

/** Faults 42 and 43: replies that are too slow. */
export const TIME_FAULTS: FaultTable = {
  42: {
    title: "stall after n tokens",
    parameter: "n",
    react: (context) => reply(stalled(answerReply(context), numberIn(context, STALL_TOKENS))),
  },
  43: {
    title: "one byte every 29 s",
    parameter: "seconds, before the time scale",
    react: (context) => wire(byteByByte(context)),
  },
};

function* byteByByte(context: FaultContext): Generator<SocketAction> {
  const { good, body } = goodBytes(context);
  const ms = numberIn(context, SLOW_SECONDS) * 1000 * context.timeScale;
  yield send(chunkedHead(good, "keep-alive"));
  for (const byte of body) {
    yield send(encodeChunk(Buffer.of(byte)));
    yield { do: "wait", ms };
  }
  yield send(LAST_CHUNK);
  yield { do: "close" };
}
