// The provider: raw sockets and prepared bytes, so that it costs little beside the gateways. `model` and `max_tokens` of the
// request say what it does: `every-5ms` streams a token in a write of its own every 5 ms, `hold` sends one token and waits.
import { createServer } from "node:net";

const HEADERS = [
  "date: Thu, 01 Jan 2026 00:00:00 GMT",
  "openai-organization: bench",
  "openai-processing-ms: 12",
  "openai-version: 2020-10-01",
  "x-ratelimit-limit-requests: 10000",
  "x-ratelimit-remaining-requests: 9999",
  "x-ratelimit-reset-requests: 6ms",
  "x-request-id: req_0123456789abcdef0123456789abcdef",
].join("\r\n");
const answer = JSON.stringify({
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1,
  model: "bench",
  choices: [{ index: 0, message: { role: "assistant", content: "word ".repeat(160) }, finish_reason: "stop" }],
  usage: { prompt_tokens: 9, completion_tokens: 160, total_tokens: 169 },
});
const WHOLE = Buffer.from(
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${answer.length}\r\n${HEADERS}\r\n\r\n${answer}`,
);
const frame = (event) => `${(event.length + 8).toString(16)}\r\ndata: ${event}\n\n\r\n`;
const choice = (delta, finish = null) => {
  const choices = [{ index: 0, delta, logprobs: null, finish_reason: finish }];
  return frame(
    JSON.stringify({ id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "bench", choices }),
  );
};
const TOKEN = Buffer.from(choice({ content: " token" }));
const START = Buffer.from(
  `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n${HEADERS}\r\n\r\n${TOKEN}`,
);
const END = Buffer.from(`${choice({}, "stop")}${frame("[DONE]")}0\r\n\r\n`);

/** One clock for all streams. They start at different times, so their tokens come spread over the milliseconds. */
const streams = new Set();
setInterval(() => {
  const now = performance.now();
  for (const stream of streams) {
    if (stream.dueMs > now) continue;
    stream.dueMs += stream.everyMs;
    stream.left -= 1;
    stream.socket.write(stream.left > 0 ? TOKEN : END);
    if (stream.left === 0) streams.delete(stream);
  }
}, 1);

function reply(socket, body) {
  if (!body.includes('"stream":true')) return socket.write(WHOLE);
  socket.write(START);
  const everyMs = Number(/"model":"every-(\d+)ms"/.exec(body)?.[1] ?? Number.POSITIVE_INFINITY);
  const left = Number(/"max_tokens":(\d+)/.exec(body)?.[1] ?? 1);
  const dueMs = performance.now() + everyMs;
  const stream = { socket, everyMs, left, dueMs };
  streams.add(stream);
  return socket.once("close", () => streams.delete(stream));
}

const server = createServer({ noDelay: true }, (socket) => {
  let held = "";
  socket.on("error", () => socket.destroy());
  socket.on("data", (bytes) => {
    held += bytes.latin1Slice();
    const start = held.indexOf("\r\n\r\n") + 4;
    if (start < 4) return;
    const length = /\r\ncontent-length: (\d+)/i.exec(held)?.[1];
    if (length === undefined ? !held.endsWith("0\r\n\r\n") : held.length < start + Number(length)) return;
    const body = held.slice(start);
    held = "";
    reply(socket, body);
  });
});
server.listen(0, "127.0.0.1", 2048, () => process.send({ port: server.address().port }));
