// The endpoint of bench/fetch.ts, in a process of its own: one JSON answer, or a stream of tokens in separate writes.
import { createServer } from "node:http";

const chunk = (delta, finish = null) =>
  `data: ${JSON.stringify({
    id: "chatcmpl-1",
    object: "chat.completion.chunk",
    created: 1,
    model: "bench",
    service_tier: "default",
    system_fingerprint: "fp",
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
  })}\n\n`;
const EVENTS = [
  chunk({ role: "assistant", content: "" }),
  ...Array.from({ length: 20 }, (_, index) => chunk({ content: ` token ${index}` })),
  chunk({}, "stop"),
  "data: [DONE]\n\n",
];
const WHOLE = JSON.stringify({
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1,
  model: "bench",
  choices: [{ index: 0, message: { role: "assistant", content: "word ".repeat(140) }, finish_reason: "stop" }],
  usage: { prompt_tokens: 9, completion_tokens: 140, total_tokens: 149 },
});

const server = createServer((request, response) => {
  let body = "";
  request.on("data", (bytes) => {
    body += bytes;
  });
  request.on("end", () => {
    if (!body.includes('"stream":true')) {
      response.writeHead(200, { "content-type": "application/json", "x-request-id": "req_1" });
      response.end(WHOLE);
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream", "x-request-id": "req_1" });
    let at = 0;
    const next = () => {
      response.write(EVENTS[at]);
      at += 1;
      if (at < EVENTS.length) setImmediate(next);
      else response.end();
    };
    next();
  });
});
server.listen(0, "127.0.0.1", () => process.stdout.write(`${server.address().port}\n`));
process.stdin.on("end", () => process.exit()).resume();
