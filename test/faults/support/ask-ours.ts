import type { PolicyInput, Ports } from "../../../src/index.ts";
import type { Simulator } from "../../../src/simulator/http/index.ts";
import { CLIENTS, type Client } from "./clients.ts";
import { type Ask, Sight } from "./probe.ts";

export const TEXT = "echo: one two three four five six";
export const QUICK: PolicyInput = { schedules: { general: { type: "fixed", delayMs: 20, atMost: 5 } } };
export const named = CLIENTS.map((client) => [`${client.door}, ${client.format}`, client] as const);
export const nap = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

let asked = 0;

export interface Asked {
  readonly model: string;
  readonly signal?: AbortSignal;
  readonly policy?: PolicyInput;
  readonly ports?: Ports;
  readonly onText?: () => void | Promise<void>;
  /** Through the platform's dispatcher, where the door can. */
  readonly isPlatform?: boolean;
}

/** Asks for a stream through our door. Returns what was seen, how it ended and how many calls were made. */
export function ask(
  { urls }: Simulator,
  client: Client,
  { model, signal, policy = QUICK, ports, onText, isPlatform = true }: Asked,
) {
  asked += 1;
  const sight = new Sight(onText);
  const calls = { started: 0 };
  const request: Ask = {
    ...{ urls, apiKey: `client-${asked}`, model, prompt: TEXT, hasTool: false, isStreaming: true },
    ...{ maxRetries: 0, isPlatform },
    onCall: () => {
      calls.started += 1;
    },
    fetch: (input, init) => {
      calls.started += 1;
      return fetch(input, init);
    },
    ...(signal !== undefined && { signal }),
  };
  const probe = client.ours({ policy, ...(ports !== undefined && { ports }) });
  const ended = probe(request, sight).then(
    () => undefined,
    (error: unknown) => error ?? "an error",
  );
  return { sight, calls, ended };
}
