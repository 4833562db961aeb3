import type { Provider, ProviderEvent, ProviderRequest } from "../../src/providers/provider.ts";
import type { VirtualWorld } from "../../src/simulator/world/index.ts";

/** What a scripted provider does next in one call. */
export type Piece =
  | ProviderEvent
  | { readonly type: "throw"; readonly thrown: unknown }
  | { readonly type: "hang" }
  | { readonly type: "pause"; readonly ms: number };

/** One call: its pieces, or a function of the request. */
export type Call = readonly Piece[] | ((request: ProviderRequest) => readonly Piece[]);

export const says = (...texts: readonly string[]): Piece[] => [
  ...texts.map((text) => ({ type: "text" as const, text })),
  { type: "usage", inputTokens: 10, outputTokens: 5 },
  { type: "finish", reason: "end" },
];

export const calls = (...tools: readonly (readonly [id: string, name: string, args?: object])[]): Piece[] => [
  ...tools.map(([id, name, args = {}]) => ({ type: "tool-call" as const, id, name, arguments: { ...args } })),
  { type: "finish", reason: "tool-use" },
];

/** K8 as emitters keep it. */
export const emits = (status: number, message = `HTTP ${status}: {}`, headers?: Record<string, string>): Piece[] => [
  {
    type: "error",
    message,
    status,
    retryable: status >= 500 || status === 429,
    ...(headers !== undefined && { headers }),
  },
];

export const throws = (thrown: unknown): Piece[] => [{ type: "throw", thrown }];

export const partly = (text: string, ...rest: readonly Piece[]): Piece[] => [{ type: "text", text }, ...rest];

/** Plays one call after another, the last one again and again; remembers what it was asked. */
export class ScriptedProvider implements Provider {
  readonly name: string;
  readonly requests: ProviderRequest[] = [];
  readonly startedAt: number[] = [];
  /** How many streams were closed before their end. */
  closed = 0;
  readonly #script: readonly Call[];
  readonly #time: VirtualWorld | undefined;

  constructor(name: string, script: readonly Call[], time?: VirtualWorld) {
    this.name = name;
    this.#script = script;
    this.#time = time;
  }

  async *stream(request: ProviderRequest, signal: AbortSignal): AsyncGenerator<ProviderEvent> {
    const call = this.#script[Math.min(this.requests.length, this.#script.length - 1)] ?? [];
    this.requests.push(structuredClone(request));
    this.startedAt.push(this.#time?.nowMs ?? 0);
    let isWhole = false;
    try {
      for (const piece of typeof call === "function" ? call(request) : call) {
        if (piece.type === "throw") throw piece.thrown;
        if (piece.type === "hang") await aborted(signal);
        else if (piece.type === "pause") await this.#pause(piece.ms, signal);
        else yield piece;
        if (signal.aborted) return;
      }
      isWhole = true;
    } finally {
      if (!isWhole && signal.aborted) this.closed++;
    }
  }

  #pause(ms: number, signal: AbortSignal): Promise<void> {
    const { sleep, rouse } = this.#time?.ports ?? {};
    return new Promise((resolve, reject) => {
      const sleeper = { wakeAtMs: 0, slot: -1, wake: () => resolve() };
      sleep?.(sleeper, ms);
      signal.addEventListener("abort", () => {
        rouse?.(sleeper);
        reject(signal.reason);
      });
    });
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
}
