import { describe, expect, test } from "vitest";
import {
  consolePolicy,
  definePolicy,
  type GenerationEvent,
  type Policy,
  SecondwindError,
  sessionPolicy,
} from "../../src/index.ts";
import { preparePolicy } from "../../src/kernel/index.ts";
import { type ModelEvent, openModelCall, simulatedProvider } from "../../src/providers/index.ts";
import type { Provider } from "../../src/providers/provider.ts";
import { systemPorts } from "../../src/system/index.ts";
import { read } from "../support/world.ts";
import { ask, textOf } from "./provider-contract.ts";

const FAST = { timeScale: 0.01, firstTokenMs: 0, tokenMs: 0 };
/** The same decisions, with waits of a millisecond. */
const quick = (policy: Policy): Policy =>
  definePolicy({ schedules: { general: { type: "fixed", delayMs: 1, atMost: 3 } }, honourHints: false }, policy);

interface Carried {
  readonly items: readonly ModelEvent[];
  readonly error: unknown;
  readonly events: readonly GenerationEvent[];
}

async function carry(model: string, policy: Policy, provider: Provider = simulatedProvider(FAST)): Promise<Carried> {
  const events: GenerationEvent[] = [];
  const { items, error } = await read(
    openModelCall({
      providerOf: () => provider,
      request: ask(model),
      policy: preparePolicy(policy),
      sink: "committed",
      ports: systemPorts(),
      on: (event) => events.push(event),
      targets: [{ provider: "sim", model, credentials: ["sim#1", "sim#2"] }],
    }),
  );
  return { items, error, events };
}

const attempts = ({ events }: Carried): number => events.filter(({ type }) => type === "attempt-start").length;

describe("the engine over provider events", () => {
  test("E14: a generation is carried through two overloads, and nothing of them is seen", async () => {
    const carried = await carry("overloaded-twice", quick(consolePolicy()));
    expect(carried.error).toBeUndefined();
    expect(carried.items.at(-1)).toEqual({ type: "finish", reason: "end" });
    expect(carried.items.map(({ type }) => type)).not.toContain("error");
    expect(attempts(carried)).toBe(3);
  });

  test.each([
    ["rate-limited", 429],
    ["bad-gateway", 502],
    ["down", 503],
    ["timeout", 504],
  ])("C2: %s (%i) is retried by the console's policy", async (model) => {
    expect(attempts(await carry(`${model}@2`, quick(consolePolicy())))).toBe(3);
  });

  test.each([
    ["bad-request", 400],
    ["unauthorized", 401],
    ["forbidden", 403],
    ["not-found", 404],
    ["server-error", 500],
  ])("C2: %s (%i) is not retried by the console's policy, and the error is the endpoint's", async (model, status) => {
    const carried = await carry(model, quick(consolePolicy()));
    expect(attempts(carried)).toBe(1);
    expect(carried.error).toMatchObject({
      name: "ProviderProblem",
      status,
      message: expect.stringMatching(/^HTTP 4|^HTTP 5/),
    });
  });

  test("E6: the engine waits as long as the endpoint asks", async () => {
    const policy = definePolicy({ schedules: { general: { type: "fixed", delayMs: 1 } } }, sessionPolicy());
    const { events } = await carry(
      "rate-limited-5000@1",
      definePolicy({ fallback: { when: "after-retries" } }, policy),
    );
    const wait = events.find((event) => event.type === "wait-start");
    // Anthropic tells whole seconds, at least one.
    expect(wait).toMatchObject({ delayMs: 1000, failure: { kind: "rate_limit", hintMs: 1000 } });
  });

  test("E17: a used-up quota rotates to the other credential, without a wait", async () => {
    const carried = await carry("quota", quick(sessionPolicy()));
    const switches = carried.events.filter(({ type }) => type === "target-switch");
    expect(switches[0]).toMatchObject({ how: "rotate", to: { credential: "sim#2" } });
    expect(carried.events.find((event) => event.type === "attempt-end")).toMatchObject({
      failure: { kind: "usage_limit" },
    });
  });

  test("E5: an overflow is handed over, not retried", async () => {
    const carried = await carry("overflow", quick(sessionPolicy()));
    expect(attempts(carried)).toBe(1);
    expect(carried.events.at(-1)).toMatchObject({ receipt: { outcome: "hand-over" } });
  });

  test("E15: a stall cancels the attempt, and text already delivered stays", async () => {
    const policy = definePolicy({ watchdog: { firstContentMs: 2000, idleMs: 300 } }, quick(sessionPolicy()));
    const carried = await carry("stall-3", policy);
    expect(textOf(carried.items)).not.toBe("");
    expect(carried.error).toBeInstanceOf(SecondwindError);
    expect(carried.error).toMatchObject({ failure: { kind: "stalled" } });
  });

  test("E15: keep-alives do not keep a silent model alive", async () => {
    const policy = definePolicy(
      { watchdog: { firstContentMs: 400, idleMs: null }, enabled: true },
      quick(sessionPolicy()),
    );
    const carried = await carry("fault-30@1", policy);
    expect(carried.events.find((event) => event.type === "attempt-end")).toMatchObject({ failure: { kind: "silent" } });
    expect(carried.error).toBeUndefined();
  });

  test("E15b: a cut after content is never joined with another answer", async () => {
    const carried = await carry("cut-3@1", quick(sessionPolicy()));
    expect(attempts(carried)).toBe(1);
    expect(carried.error).toBeDefined();
  });
});
