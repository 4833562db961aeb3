import { describe, expect, test } from "vitest";
import { InvalidInput } from "../../src/kernel/index.ts";
import {
  openProviders,
  SIMULATED,
  type SimulatorHandle,
  STORY_SEED,
  simulatedProvider,
} from "../../src/providers/index.ts";
import { parseBehaviour } from "../../src/simulator/http/behaviour/parse-behaviour.ts";
import { weatherBehaviour } from "../../src/simulator/http/behaviour/weather.ts";
import type { WeatherRequest } from "../../src/wire/http/server.ts";
import { ask, gather, textOf } from "./provider-contract.ts";

const FAST = { timeScale: 0.01, firstTokenMs: 0, tokenMs: 0 };
const NEVER = new AbortController().signal;

/** How one call ended: `ok`, `cut` after content, or the status or code of its error. */
async function outcome(provider: ReturnType<typeof simulatedProvider>, prompt: string, more: object = {}) {
  const events = await gather(provider.stream({ ...ask("sonnet", prompt), ...more }, NEVER));
  const last = events.at(-1);
  if (last?.type !== "error") return "ok";
  return textOf(events) === "" ? (last.status ?? last.code ?? "error") : "cut";
}

/** Asks a prompt until it is answered or breaks off after content, as the server does. */
async function askThrough(provider: ReturnType<typeof simulatedProvider>, prompt: string, more: object = {}) {
  const outcomes: (string | number)[] = [];
  do outcomes.push(await outcome(provider, prompt, more));
  while (outcomes.at(-1) !== "ok" && outcomes.at(-1) !== "cut" && outcomes.length < 10);
  return outcomes;
}

async function story(weather: WeatherRequest["weather"] & string, prompts: number) {
  const provider = simulatedProvider(FAST);
  provider.simulator.set({ weather } as WeatherRequest);
  const told: (string | number)[][] = [];
  for (let n = 1; n <= prompts; n += 1) told.push(await askThrough(provider, `Question ${n}`));
  return told;
}

describe("the weather of the built-in provider", () => {
  test("B7: in a storm the first prompt is refused twice and then answered, and a later answer breaks off", async () => {
    expect(await story("storm", 8)).toEqual([
      [503, 529, "ok"],
      [503, "ok"],
      ["ok"],
      ["cut"],
      ["ECONNRESET", "ok"],
      ["cut"],
      [529, "ECONNRESET", 529, "ok"],
      ["ECONNRESET", "ok"],
    ]);
  });

  test("B7: in a storm no outage of the first twenty requests is longer than three", () => {
    const draws = Array.from({ length: 20 }, (_, n) =>
      weatherBehaviour("storm", { seed: STORY_SEED, model: "sonnet", key: "sim#1", count: n + 1, keyCount: n + 1 }),
    );
    const failures = draws.map(({ type }) => (type === "error" || type === "fault" || type === "stall" ? "x" : "."));
    expect(failures.join("")).not.toContain("xxxx");
    expect(draws.some(({ type }) => type === "stall")).toBe(false);
  });

  test("B7: in drizzle the first prompt is rate limited once", async () => {
    expect(await story("drizzle", 2)).toEqual([
      [429, "ok"],
      [429, 529, "ok"],
    ]);
  });

  test("B7: with quota the first key runs dry, then the second, then both", async () => {
    const provider = simulatedProvider(FAST);
    provider.simulator.set({ weather: "quota" });
    const ended = async (credential: string) => {
      const all: (string | number)[] = [];
      for (let n = 0; n < 6; n += 1) all.push(await outcome(provider, `Question ${n}`, { credential }));
      return all;
    };
    expect(await ended("sim#1")).toEqual(["ok", "ok", "ok", "ok", 400, 400]);
    expect(await ended("sim#2")).toEqual(["ok", "ok", "ok", "ok", 400, 400]);
  });

  test("B7: setting the weather again plays the same from the start, also before the first call and in the middle", async () => {
    const provider = simulatedProvider(FAST);
    provider.simulator.set({ weather: "quota" });
    provider.simulator.set({ weather: "storm" });
    const first = await askThrough(provider, "Question 1");
    await askThrough(provider, "Question 2");
    provider.simulator.set({ weather: "storm" });
    expect(await askThrough(provider, "Question 1")).toEqual(first);
    provider.simulator.set({ weather: "calm" });
    expect(await askThrough(provider, "Question 3")).toEqual(["ok"]);
  });

  test("B7: one fault meets every question once, also when another key or model takes over", async () => {
    const provider = simulatedProvider(FAST);
    provider.simulator.set({ weather: "fault", fault: "overloaded" });
    expect(await askThrough(provider, "Question 1")).toEqual([529, "ok"]);
    expect(await askThrough(provider, "Question 2")).toEqual([529, "ok"]);
    provider.simulator.set({ weather: "fault", fault: "quota" });
    expect(await outcome(provider, "Question 3", { credential: "sim#1" })).toBe(400);
    expect(await outcome(provider, "Question 3", { credential: "sim#2" })).toBe("ok");
    expect(await outcome(provider, "Question 4", { model: "sonnet" })).toBe(400);
    expect(await outcome(provider, "Question 4", { model: "haiku" })).toBe("ok");
    provider.simulator.set({ weather: "fault", fault: "overloaded-twice" });
    expect(await askThrough(provider, "Question 5")).toEqual([529, 529, "ok"]);
  });

  test("B7: a model whose name is a behaviour ignores weather and fault", async () => {
    const provider = simulatedProvider(FAST);
    provider.simulator.set({ weather: "fault", fault: "down" });
    expect(await outcome(provider, "Question", { model: "ok" })).toBe("ok");
  });

  test("B7: every fault of the menu has a title and is a behaviour", () => {
    const { faults } = simulatedProvider(FAST).simulator.weather();
    expect(faults.length).toBeGreaterThan(10);
    for (const { name, title } of faults)
      expect([parseBehaviour(name) === undefined, title]).toEqual([false, expect.any(String)]);
    expect(new Set(faults.map(({ title }) => title)).size).toBe(faults.length);
  });

  test("B7: an unknown fault is refused with its name, and the weather stays", () => {
    const { simulator } = simulatedProvider({ ...FAST, weather: "drizzle" });
    expect(() => simulator.set({ weather: "fault", fault: "hail" })).toThrow(InvalidInput);
    expect(simulator.weather()).toMatchObject({ weather: "drizzle" });
  });

  test("B7: what is offered first follows the weather, and the opened providers share one control", async () => {
    expect(SIMULATED.models.slice(0, 2)).toEqual(["sonnet", "haiku"]);
    const { providers, simulator, defaultModel } = await openProviders({ env: {}, simulator: FAST });
    expect(defaultModel).toBe("sim/sonnet");
    (simulator satisfies SimulatorHandle).set({ weather: "fault", fault: "overloaded" });
    const events = await gather(providers.get("sim")?.stream(ask("sonnet", "Hi"), NEVER) ?? (async function* () {})());
    expect(events.at(-1)).toMatchObject({ type: "error", status: 529 });
  });
});
