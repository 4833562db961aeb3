import { streamText } from "ai";
import { beforeAll, describe, expect, test } from "vitest";
import { resilientModel } from "../../src/adapters/ai-sdk/index.ts";
import { often } from "../support/soak.ts";
import { anthropicModel, chatModel, compatibleModel, googleModel, responsesModel } from "./support/ai-sdk-probe.ts";
import { bodyOf, type Ending, streamResponse } from "./support/cut-body.ts";
import type { Ask } from "./support/probe.ts";
import { recordTranscripts, type Transcript } from "./support/transcripts.ts";

const POLICY = {
  ...{ schedules: { general: { type: "fixed", delayMs: 0, atMost: 1 } as const } },
  ...{ breaker: null, budget: null },
};
const PROVIDERS = [
  ["chat", "OpenAI chat", chatModel],
  ["chat", "OpenAI-compatible", compatibleModel],
  ["responses", "OpenAI responses", responsesModel],
  ["anthropic", "Anthropic", anthropicModel],
  ["gemini", "Google", googleModel],
] as const;

let all: readonly Transcript[] = [];
beforeAll(async () => {
  all = await recordTranscripts();
});

interface Seen {
  text: string;
  tools: unknown[];
  error: unknown;
}

/** Asks for an answer whose first attempt breaks off after so many bytes. The second one does not. */
async function ask(
  make: (ask: Ask) => Parameters<typeof resilientModel>[0],
  bytes: Uint8Array,
  place: number,
  ending: Ending,
) {
  let calls = 0;
  const fetch = async (): Promise<Response> => {
    calls += 1;
    return streamResponse(bodyOf(calls === 1 ? bytes.subarray(0, place) : bytes, calls === 1 ? ending : "end"));
  };
  const url = "http://sim.invalid/v1";
  const urls = { aiSdk: { openai: url, anthropic: url, google: url } } as unknown as Ask["urls"];
  const options = { urls, apiKey: "a", model: "ok", fetch } as unknown as Ask;
  const seen: Seen = { text: "", tools: [], error: undefined };
  const model = resilientModel(make(options), POLICY);
  for await (const part of streamText({ model, prompt: "Hello", onError: () => undefined }).fullStream) {
    if (part.type === "text-delta") seen.text += part.text;
    if (part.type === "tool-call") seen.tools.push(part.input);
    if (part.type === "error") seen.error = part.error;
  }
  return { ...seen, calls };
}

describe.each(PROVIDERS)("%s, %s", (format, _name, make) => {
  test.each(["text", "characters", "tool", "limit"])(
    "E14, E15b: %s that breaks off anywhere is a prefix and an error, or whole",
    async (wish) => {
      const { bytes } = all.find(({ name }) => name === `${format}, ${wish}`) as Transcript;
      const whole = await ask(make, bytes, bytes.length, "end");
      expect(whole).toMatchObject({ error: undefined, calls: 1 });
      const step = often(233, 7);
      for (const ending of ["end", "reset"] as const) {
        for (let place = wish.length; place < bytes.length; place += step) {
          const { text, tools, error, calls } = await ask(make, bytes, place, ending);
          if (error === undefined) expect({ text, tools }).toEqual({ text: whole.text, tools: whole.tools });
          else
            expect({ tools, calls, isPrefix: whole.text.startsWith(text) }).toEqual({
              tools: [],
              calls: 1,
              isPrefix: true,
            });
        }
      }
    },
  );
});
