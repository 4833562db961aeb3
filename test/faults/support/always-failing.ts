import { bodyOf, streamResponse } from "./cut-body.ts";

export const FAILURES = [
  "HTTP 503",
  "HTTP 429 without a hint",
  "network reset",
  "stream cut before its content",
] as const;
export type FailureName = (typeof FAILURES)[number];

/** An endpoint that fails every time, and counts. */
export class AlwaysFailing {
  calls = 0;
  private readonly how: FailureName;

  constructor(how: FailureName) {
    this.how = how;
  }

  readonly fetch: typeof globalThis.fetch = async () => {
    this.calls += 1;
    switch (this.how) {
      case "HTTP 503":
        return refusal(503, `The engine is overloaded (${this.calls})`);
      case "HTTP 429 without a hint":
        return refusal(429, "Rate limit reached");
      case "network reset":
        throw Object.assign(new TypeError("fetch failed"), {
          cause: Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }),
        });
      case "stream cut before its content":
        return streamResponse(bodyOf(new Uint8Array(0), "end"));
      default:
        return this.how satisfies never;
    }
  };
}

function refusal(status: number, message: string): Response {
  const headers = { "content-type": "application/json" };
  return new Response(JSON.stringify({ error: { message, type: "error" } }), { status, headers });
}
