import { answerReply } from "../wire/answer-reply.ts";
import { chunkedHead, chunkedSteps, encodeHead, headLines, send } from "../wire/encode-http.ts";
import { plainReply, type Step } from "../wire/reply.ts";
import { type FaultScene, type FaultTable, goodBytes, numberIn, refusalReply, reply, wire } from "./fault.ts";
import { LANDED } from "./landed.ts";

const DRIBBLE_MS = 5;
const OVERSIZE_KIB = 128;

/** Faults 6 to 19: before the body. */
export const HEADER_FAULTS: FaultTable = {
  6: { title: "reset before headers", perform: () => wire([{ do: "reset" }], 0) },
  7: {
    title: "stale keep-alive socket: the first request is answered, the next on the same connection is reset",
    // A client cannot tell this from a server that closed the idle connection a moment too early.
    perform: (scene) => (scene.requestOfSocket > 1 ? wire([{ do: "reset" }], 0) : reply(answerReply(scene))),
  },
  8: { title: "headers never sent", perform: () => wire([{ do: "hold" }], 0) },
  9: {
    title: "headers one byte at a time",
    parameter: "milliseconds a byte",
    perform: (scene) => wire(dribble(scene)),
  },
  10: { title: "1xx, then 200", parameter: "the status, 100 to 199", perform: (scene) => wire(informFirst(scene)) },
  11: { title: "redirect, same origin", parameter: "the status", perform: (scene) => redirect(scene, "") },
  12: {
    title: "redirect, other origin",
    parameter: "the status",
    perform: (scene) => redirect(scene, scene.otherOrigin),
  },
  13: { title: "oversized headers", parameter: "KiB", perform: (scene) => wire(oversized(scene)) },
  14: { title: "two content-lengths that differ", perform: (scene) => wire(twoLengths(scene)) },
  15: {
    title: "wrong content-type",
    perform: (scene) => {
      const good = answerReply(scene);
      return reply({ ...good, headers: { ...good.headers, "content-type": "text/plain" } });
    },
  },
  16: {
    title: "HTML page with 502 or 524",
    parameter: "the status",
    perform: (scene) => htmlPage(numberIn(scene, 502)),
  },
  17: {
    title: "empty 200",
    perform: (scene) => reply({ ...answerReply(scene), pieces: [], isStream: false }),
  },
  18: {
    title: "JSON error with 200",
    perform: (scene) => reply({ ...refusalReply(scene, { problem: "overloaded" }), status: 200 }),
  },
  19: { title: "204", perform: () => reply(plainReply(204, {}, "")) },
};

function* dribble(scene: FaultScene): Generator<Step> {
  const { good, body } = goodBytes(scene);
  const ms = numberIn(scene, DRIBBLE_MS) * scene.timeScale;
  for (const byte of encodeHead(good.status, [...headLines(good), ["content-length", String(body.length)]])) {
    yield send(Buffer.of(byte));
    yield { do: "wait", ms };
  }
  yield send(body);
  yield { do: "close" };
}

function* informFirst(scene: FaultScene): Generator<Step> {
  const { good, body } = goodBytes(scene);
  for (const status of scene.parameter === undefined ? [102, 103] : [numberIn(scene, 102)]) {
    yield send(encodeHead(status, status === 103 ? [["link", "</style.css>; rel=preload"]] : []));
  }
  yield* chunkedSteps(good, [body], 0);
}

function redirect(scene: FaultScene, origin: string) {
  const location = `${origin}${LANDED}${scene.target}`;
  return reply(plainReply(numberIn(scene, 307), { location }, ""));
}

function* oversized(scene: FaultScene): Generator<Step> {
  const { good, body } = goodBytes(scene);
  const lines = Array.from(
    { length: numberIn(scene, OVERSIZE_KIB) },
    (_, n) => [`x-padding-${n}`, "p".repeat(1008)] as const,
  );
  yield send(chunkedHead(good, "close", lines));
  yield* [...chunkedSteps(good, [body], 0)].slice(1);
}

function* twoLengths(scene: FaultScene): Generator<Step> {
  const { good, body } = goodBytes(scene);
  const lengths = [body.length, Math.floor(body.length / 2)].map(
    (length) => ["content-length", String(length)] as const,
  );
  yield send(encodeHead(good.status, [...headLines(good, "keep-alive"), ...lengths]));
  yield send(body);
  yield { do: "close" };
}

function htmlPage(status: number) {
  const title = status === 524 ? "524: A timeout occurred" : `${status} Bad Gateway`;
  const page = `<!DOCTYPE html>\n<html><head><title>${title}</title></head>\n<body><center><h1>${title}</h1></center><hr><center>cloudflare</center></body></html>\n`;
  return reply(plainReply(status, { "content-type": "text/html; charset=UTF-8", server: "cloudflare" }, page));
}
