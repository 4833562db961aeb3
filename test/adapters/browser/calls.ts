// Runs in a page and in a worker: no Node, no DOM.
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { streamText } from "ai";
import { resilientModel } from "../../../src/adapters/ai-sdk/index.ts";
import { receiptOf, resilientFetch } from "../../../src/adapters/fetch/index.ts";
import { resilient } from "../../../src/index.ts";

const QUICK = { schedules: { general: { type: "fixed", delayMs: 1, atMost: 3 } } } as const;
const BODY = JSON.stringify({ model: "m", stream: true, messages: [] });

/** The same three calls through each door: what came, and after how many attempts. */
export async function makeCalls(): Promise<Record<string, string>> {
  const fetch = resilientFetch(QUICK);
  const streamed = await fetch("/fetch/v1/chat/completions", { method: "POST", body: BODY });
  const text = await streamed.text();
  const cut = await fetch("/cut/v1/chat/completions", { method: "POST", body: BODY });
  // Not by `text()`, for which Chromium has an error of its own.
  const broken = await readAll(cut).catch((error: unknown) => String(error));
  const provider = createOpenAICompatible({
    name: "test",
    baseURL: new URL("/ai-sdk/v1", streamed.url).href,
    apiKey: "k",
  });
  const answer = streamText({ model: resilientModel(provider("m"), QUICK), prompt: "Hi", maxRetries: 0 });
  const ask = resilient(
    ({ signal }) => globalThis.fetch("/plain/v1/chat/completions", { method: "POST", signal }),
    QUICK,
  );
  return {
    fetch: `${/Hello/.test(text) && /\[DONE\]/.test(text)} ${receiptOf(streamed)?.attempts}`,
    cut: broken,
    aiSdk: await answer.text,
    plain: String((await ask()).status),
  };
}

async function readAll({ body }: Response): Promise<string> {
  const reader = body?.getReader();
  let bytes = 0;
  for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) bytes += next.value.length;
  return `${bytes} bytes`;
}
