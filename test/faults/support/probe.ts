import type { LookupFunction } from "node:net";
import type { SimulatorUrls } from "../../../src/simulator/http/index.ts";
import { WEATHER_SCHEMA } from "../../simulator/http/support.ts";

/** What a person wants to know, and how the request reaches the endpoint. */
export interface Ask {
  readonly urls: SimulatorUrls;
  readonly apiKey: string;
  readonly model: string;
  readonly prompt: string;
  readonly hasTool: boolean;
  readonly isStreaming: boolean;
  readonly fetch: typeof globalThis.fetch;
  /** `fetch` only counts: the platform's own does as well. */
  readonly isPlatform?: boolean;
  /** Undefined: as many as the SDK makes by default. */
  readonly maxRetries: number | undefined;
  readonly signal?: AbortSignal;
  /** How the endpoint's name is looked up, if not as usual. */
  readonly lookup?: LookupFunction;
  /** To be told of each call that `fetch` does not see. */
  readonly onCall?: () => void;
}

/** What a person has seen so far of the answer. */
export class Sight {
  text = "";
  readonly toolInputs = new Map<unknown, string>();
  /** Called with every piece of text. */
  readonly onText: (() => void | Promise<void>) | undefined;

  constructor(onText?: () => void | Promise<void>) {
    this.onText = onText;
  }

  async say(text: string | null | undefined): Promise<void> {
    if (text === null || text === undefined || text === "") return;
    this.text += text;
    await this.onText?.();
  }

  /** Adds to the arguments of a tool call. */
  addInput(call: unknown, text: string | undefined): void {
    this.toolInputs.set(call, (this.toolInputs.get(call) ?? "") + (text ?? ""));
  }
}

/** Asks once and shows what comes. Rejects with what the caller's code would have to catch. */
export type Probe = (ask: Ask, sight: Sight) => Promise<void>;

export const TOOL = {
  name: "get_weather",
  description: "The weather in a place",
  parameters: WEATHER_SCHEMA as unknown as Record<string, unknown>,
};

/** Only what is set: the SDKs take `maxRetries: undefined` for a value. */
export function retriesOf({ maxRetries }: Ask): { readonly maxRetries?: number } {
  return maxRetries === undefined ? {} : { maxRetries };
}
