import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface LimitedOptions {
  /** Calls that each window accepts. */
  readonly limit: number;
  readonly windowMs: number;
  readonly answerMs: number;
  /** Whether answers carry `x-ratelimit-` headers. */
  readonly hasHeaders?: boolean;
}

/** An endpoint with OpenAI's chat format and a rate limit, which counts what it is asked. */
export interface LimitedEndpoint {
  readonly url: string;
  readonly accepted: number;
  readonly refused: number;
  /** When each accepted call came, ms. */
  readonly acceptedAtMs: readonly number[];
  close(): Promise<void>;
}

export async function startLimitedEndpoint(options: LimitedOptions): Promise<LimitedEndpoint> {
  const { limit, windowMs, answerMs, hasHeaders = false } = options;
  const acceptedAtMs: number[] = [];
  let refused = 0;
  let windowFromMs = performance.now();
  let used = 0;
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      const nowMs = performance.now();
      if (nowMs - windowFromMs >= windowMs) {
        windowFromMs += Math.floor((nowMs - windowFromMs) / windowMs) * windowMs;
        used = 0;
      }
      const leftMs = Math.ceil(windowFromMs + windowMs - nowMs);
      if (used >= limit) {
        refused++;
        response.writeHead(429, { "content-type": "application/json", "retry-after-ms": String(leftMs) });
        response.end('{"error":{"message":"Rate limit reached","type":"requests","code":"rate_limit_exceeded"}}');
        return;
      }
      used++;
      acceptedAtMs.push(nowMs);
      const headers = {
        "x-ratelimit-limit-requests": String(limit),
        "x-ratelimit-remaining-requests": String(limit - used),
        "x-ratelimit-reset-requests": `${leftMs}ms`,
      };
      response.writeHead(200, { "content-type": "text/event-stream", ...(hasHeaders && headers) });
      response.flushHeaders();
      setTimeout(() => answer(response), answerMs);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    get accepted() {
      return acceptedAtMs.length;
    },
    get refused() {
      return refused;
    },
    acceptedAtMs,
    close: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  };
}

function answer(response: ServerResponse): void {
  const chunk = (delta: object, rest: object = {}): string =>
    `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, ...rest }] })}\n\n`;
  response.write(chunk({ role: "assistant", content: "Fine." }));
  response.write(chunk({}, { finish_reason: "stop" }));
  const usage = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 };
  response.write(
    `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [], usage })}\n\n`,
  );
  response.end("data: [DONE]\n\n");
}
