import { expect, test } from "vitest";
import { resilientFetch } from "../../src/adapters/fetch/index.ts";
import { QUICK } from "../adapters/ai-sdk/support.ts";
import { chatAnswer } from "../adapters/fetch/server.ts";

const CHUNK = {
  object: "chat.completion.chunk",
  choices: [{ index: 0, delta: { content: "Hi" }, finish_reason: "stop" }],
};

test.each([
  ["a whole answer", false, "application/json", JSON.stringify(chatAnswer("Hi"))],
  ["a stream", true, "text/event-stream", `data: ${JSON.stringify(CHUNK)}\n\ndata: [DONE]\n\n`],
])(
  "E14: %s has the head of its own attempt, though a cancelled one gets its head late",
  async (_, stream, type, text) => {
    let comeLate = (): void => undefined;
    const headOf = (attempt: string) => ({ headers: { "content-type": type, "x-attempt": attempt } });
    const second = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          comeLate();
          await new Promise((resolve) => setImmediate(resolve));
          controller.enqueue(new TextEncoder().encode(text));
          controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    let calls = 0;
    // One that does not heed its signal.
    const fetch = async (): Promise<Response> => {
      calls += 1;
      if (calls > 1) return new Response(second, headOf("second"));
      await new Promise<void>((resolve) => {
        comeLate = resolve;
      });
      return new Response(text, headOf("first"));
    };
    const ask = resilientFetch({ ...QUICK, watchdog: { firstContentMs: 20 } }, { fetch });
    const init = { method: "POST", body: JSON.stringify({ model: "m", stream }) };
    const response = await ask("http://127.0.0.1:9/v1/chat/completions", init);
    expect(response.headers.get("x-attempt")).toBe("second");
    expect(await response.text()).toBe(text);
    expect(calls).toBe(2);
  },
);
