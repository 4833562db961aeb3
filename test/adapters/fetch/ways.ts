import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { afterAll, beforeAll, expect } from "vitest";
import { resilientFetch } from "../../../src/adapters/fetch/index.ts";
import { chatAnswer, sendJson, serve } from "./server.ts";

/** How requests of the fetch door leave the process. */
export type Way = "dispatcher" | "plain fetch";

export const WAYS: readonly Way[] = ["dispatcher", "plain fetch"];

/** Which of its global dispatchers the platform's `fetch` uses. */
export const IS_LEGACY = Number.parseInt(process.versions.undici ?? "", 10) < 8;
const DISPATCHER = Symbol.for(IS_LEGACY ? "undici.globalDispatcher.1" : "undici.globalDispatcher.2");

/** Puts another one in the place of the global dispatcher, until it is disposed of. */
export function replaceDispatcher(dispatcher: unknown): { [Symbol.dispose](): void } {
  const shared = globalThis as unknown as { [name: symbol]: unknown };
  const before = shared[DISPATCHER];
  shared[DISPATCHER] = dispatcher;
  return {
    [Symbol.dispose]: () => {
      shared[DISPATCHER] = before;
    },
  };
}

const CHANNEL = "undici:request:create";

/** Counts the POST requests that Node's undici sends, by the way they came: `fetch` gives it a body to iterate, never the bytes themselves. */
export class WayCounter {
  readonly counts: Record<Way, number> = { dispatcher: 0, "plain fetch": 0 };

  constructor() {
    subscribe(CHANNEL, this.count);
  }

  private readonly count = (message: unknown): void => {
    const { method, body } = (message as { request: { method: string; body: unknown } }).request;
    if (method === "POST" && body !== null) this.counts[body instanceof Uint8Array ? "dispatcher" : "plain fetch"] += 1;
  };

  /** Those since the last time. */
  take(): Record<Way, number> {
    const taken = { ...this.counts };
    this.counts.dispatcher = 0;
    this.counts["plain fetch"] = 0;
    return taken;
  }

  stop(): void {
    unsubscribe(CHANNEL, this.count);
  }
}

/** After this, generations to this host of the tests go through the dispatcher: the first one to each host does not. */
export async function learnLoopback(): Promise<void> {
  const counter = new WayCounter();
  const server = await serve((_, response) => sendJson(response, 200, chatAnswer("Hi")));
  try {
    const fetch = resilientFetch();
    for (let turn = 0; turn < 100 && counter.counts.dispatcher === 0; turn += 1) {
      await (await fetch(`${server.url}/v1/chat/completions`, { method: "POST", body: "{}" })).text();
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    expect(counter.counts.dispatcher).toBeGreaterThan(0);
  } finally {
    counter.stop();
    await server.close();
  }
}

/** The tests of this block go this way. On plain `fetch` the global one is replaced by a function of ours, as a mock or a monitor would. */
export function useWay(way: Way): void {
  let before: typeof globalThis.fetch | undefined;
  let counter: WayCounter;
  beforeAll(async () => {
    await learnLoopback();
    counter = new WayCounter();
    if (way === "dispatcher") return;
    const platform = globalThis.fetch;
    before = platform;
    globalThis.fetch = (input, init) => platform(input, init);
  });
  afterAll(() => {
    if (before !== undefined) globalThis.fetch = before;
    counter.stop();
    // So that no block says it goes one way and goes the other.
    expect(counter.counts[way]).toBeGreaterThan(0);
  });
}
