import { expect, onTestFinished, test } from "vitest";
import { resilientFetch } from "../../src/adapters/fetch/index.ts";
import { EventCutter } from "../../src/formats/index.ts";
import { serve } from "../adapters/fetch/server.ts";

const TOO_LONG = {
  code: 400,
  message: "the request exceeds the available context size. try increasing the context size or enable context shift",
  type: "exceed_context_size_error",
};
const FIELD = `error: ${JSON.stringify(TOO_LONG)}\n\n`;

test("E15b: an error that llama.cpp sends beside the data of its stream is not repeated", async () => {
  const server = await serve((_, response) =>
    response.writeHead(200, { "content-type": "text/event-stream" }).end(FIELD),
  );
  onTestFinished(() => server.close());
  const response = await resilientFetch()(`${server.url}/v1/chat/completions`, {
    method: "POST",
    body: '{"model":"m","stream":true}',
  });
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({ error: TOO_LONG });
  expect(server.received).toHaveLength(1);
});

test("E15b: an error of llama.cpp after the terminal marker is ignored", () => {
  const end = 'data: {"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\n';
  const pieces = new EventCutter().push(new TextEncoder().encode(end + FIELD));
  expect(pieces.map(({ reading }) => reading)).toEqual(["content-end"]);
});

test("E15b: an error as plain JSON is judged, though its content type says that it is a stream", async () => {
  const error = { message: "Invalid token", code: "invalid_api_key" };
  const server = await serve((_, response) =>
    response.writeHead(200, { "content-type": "text/event-stream" }).end(JSON.stringify({ error })),
  );
  onTestFinished(() => server.close());
  const response = await resilientFetch()(`${server.url}/v1/chat/completions`, {
    method: "POST",
    body: '{"model":"m","stream":true}',
  });
  expect(response.status).toBe(401);
  expect(await response.json()).toEqual({ error });
  expect(server.received).toHaveLength(1);
});
