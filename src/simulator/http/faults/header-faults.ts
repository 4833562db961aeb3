import { answerReply } from "../wire/answer-reply.ts";
import { chunkedActions, chunkedHead, encodeHead, headLines, send } from "../wire/encode-http.ts";
import { plainReply, type SocketAction } from "../wire/reply.ts";
import {
  errorReply,
  type FaultContext,
  type FaultTable,
  goodBytes,
  numberIn,
  REDIRECT_TARGET,
  reply,
  wire,
} from "./fault.ts";

const DRIBBLE_MS = 5;
const OVERSIZE_KIB = 128;

/** Faults 6 to 19: before the body. */
export const HEADER_FAULTS: FaultTable = {
  6: { title: "reset before headers", react: () => wire([{ do: "reset" }], 0) },
  7: {
    title: "stale keep-alive socket: the first request is answered, the next on the same connection is reset",
    // To a client this looks like a server that closed the idle connection a moment too early.
    react: (context) => (context.requestOfSocket > 1 ? wire([{ do: "reset" }], 0) : reply(answerReply(context))),
  },
  8: { title: "headers never sent", react: () => wire([{ do: "hold" }], 0) },
  9: {
    title: "headers one byte at a time",
    parameter: "milliseconds per byte",
    react: (context) => wire(dribble(context)),
  },
  10: { title: "1xx, then 200", parameter: "the status, 100 to 199", react: (context) => wire(informFirst(context)) },
  11: { title: "redirect, same origin", parameter: "the status", react: (context) => redirect(context, "") },
  12: {
    title: "redirect, other origin",
    parameter: "the status",
    react: (context) => redirect(context, context.otherOrigin),
  },
  13: { title: "oversized headers", parameter: "KiB", react: (context) => wire(oversized(context)) },
  14: { title: "two content-lengths that differ", react: (context) => wire(twoLengths(context)) },
  15: {
    title: "wrong content-type",
    react: (context) => {
      const good = answerReply(context);
      return reply({ ...good, headers: { ...good.headers, "content-type": "text/plain" } });
    },
  },
  16: {
    title: "HTML page with 502 or 524",
    parameter: "the status; 200: the page of a proxy",
    react: (context) => htmlPage(numberIn(context, 502)),
  },
  17: {
    title: "empty 200",
    react: (context) => reply({ ...answerReply(context), pieces: [], isStream: false }),
  },
  18: {
    title: "JSON error with 200",
    react: (context) => reply({ ...errorReply(context, { name: "overloaded" }), status: 200 }),
  },
  19: { title: "204", react: () => reply(plainReply(204, {}, "")) },
};

function* dribble(context: FaultContext): Generator<SocketAction> {
  const { good, body } = goodBytes(context);
  const ms = numberIn(context, DRIBBLE_MS) * context.timeScale;
  for (const byte of encodeHead(good.status, [...headLines(good), ["content-length", String(body.length)]])) {
    yield send(Buffer.of(byte));
    yield { do: "wait", ms };
  }
  yield send(body);
  yield { do: "close" };
}

function* informFirst(context: FaultContext): Generator<SocketAction> {
  const { good, body } = goodBytes(context);
  for (const status of context.parameter === undefined ? [102, 103] : [numberIn(context, 102)]) {
    yield send(encodeHead(status, status === 103 ? [["link", "</style.css>; rel=preload"]] : []));
  }
  yield* chunkedActions(good, [body], 0);
}

function redirect(context: FaultContext, origin: string) {
  const location = `${origin}${REDIRECT_TARGET}${context.target}`;
  return reply(plainReply(numberIn(context, 307), { location }, ""));
}

function* oversized(context: FaultContext): Generator<SocketAction> {
  const { good, body } = goodBytes(context);
  const lines = Array.from(
    { length: numberIn(context, OVERSIZE_KIB) },
    (_, n) => [`x-padding-${n}`, "p".repeat(1008)] as const,
  );
  yield send(chunkedHead(good, "close", lines));
  yield* [...chunkedActions(good, [body], 0)].slice(1);
}

function* twoLengths(context: FaultContext): Generator<SocketAction> {
  const { good, body } = goodBytes(context);
  const lengths = [body.length, Math.floor(body.length / 2)].map(
    (length) => ["content-length", String(length)] as const,
  );
  yield send(encodeHead(good.status, [...headLines(good, "keep-alive"), ...lengths]));
  yield send(body);
  yield { do: "close" };
}

function htmlPage(status: number) {
  const title = status < 400 ? "Sign in" : status === 524 ? "524: A timeout occurred" : `${status} Bad Gateway`;
  const page = `<!DOCTYPE html>\n<html><head><title>${title}</title></head>\n<body><center><h1>${title}</h1></center><hr><center>cloudflare</center></body></html>\n`;
  return reply(plainReply(status, { "content-type": "text/html; charset=UTF-8", server: "cloudflare" }, page));
}
