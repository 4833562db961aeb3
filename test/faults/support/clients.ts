import { resilientModel } from "../../../src/adapters/ai-sdk/index.ts";
import { resilientFetch } from "../../../src/adapters/fetch/index.ts";
import type { PolicyInput, Ports } from "../../../src/index.ts";
import { aiSdkProbe, anthropicModel, chatModel, googleModel, responsesModel } from "./ai-sdk-probe.ts";
import { openaiChat, openaiResponses } from "./openai-probes.ts";
import { anthropicMessages, geminiContent } from "./other-sdk-probes.ts";
import type { Probe } from "./probe.ts";

export const FORMATS = ["OpenAI chat", "OpenAI responses", "Anthropic", "Gemini"] as const;
export type Format = (typeof FORMATS)[number];
export type Door = "fetch" | "ai-sdk" | "gateway";

export interface Around {
  readonly policy: PolicyInput;
  readonly ports?: Ports;
}

/** A way to ask for an answer, without Secondwind and with it. */
export interface Client {
  readonly format: Format;
  readonly door: Door;
  readonly bare: Probe;
  ours(around: Around): Probe;
}

/** The official SDKs, on the `fetch` of the platform or on ours. */
function sdkClient(format: Format, probe: Probe): Client {
  const ours = ({ policy, ...options }: Around): Probe => {
    let fetch: typeof globalThis.fetch | undefined;
    let onCall: (() => void) | undefined;
    return (ask, sight) => {
      onCall = ask.onCall;
      fetch ??= resilientFetch(
        policy,
        // Without a `fetch` of its own it goes through the platform's dispatcher.
        ask.isPlatform === true
          ? { ...options, on: ({ type }) => type === "attempt-start" && onCall?.() }
          : { ...options, fetch: ask.fetch },
      );
      return probe({ ...ask, fetch, maxRetries: ask.maxRetries ?? 0 }, sight);
    };
  };
  return { format, door: "fetch", bare: probe, ours };
}

function aiSdkClient(format: Format, make: Parameters<typeof aiSdkProbe>[0]): Client {
  const ours = ({ policy, ...options }: Around): Probe =>
    aiSdkProbe(make, (model) => resilientModel(model, policy, options));
  return { format, door: "ai-sdk", bare: aiSdkProbe(make, (model) => model), ours };
}

export const CLIENTS: readonly Client[] = [
  sdkClient("OpenAI chat", openaiChat),
  sdkClient("OpenAI responses", openaiResponses),
  sdkClient("Anthropic", anthropicMessages),
  sdkClient("Gemini", geminiContent),
  aiSdkClient("OpenAI chat", chatModel),
  aiSdkClient("OpenAI responses", responsesModel),
  aiSdkClient("Anthropic", anthropicModel),
  aiSdkClient("Gemini", googleModel),
];

export function clientOf(door: Door, format: Format): Client {
  const found = CLIENTS.find((client) => client.door === door && client.format === format);
  if (found === undefined) throw new Error(`No client for ${door}, ${format}`);
  return found;
}
