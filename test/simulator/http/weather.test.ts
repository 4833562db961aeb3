import { describe, expect, test } from "vitest";
import { WEATHERS, type Weather, weatherBehaviour } from "../../../src/simulator/http/behaviour/weather.ts";
import { useSimulator } from "./support.ts";

const world = useSimulator();

function sequence(weather: Weather, seed: number, key = "a", length = 200): readonly string[] {
  return Array.from({ length }, (_, n) => {
    const behaviour = weatherBehaviour(weather, { seed, model: "m", key, count: n + 1, keyCount: n + 1 });
    return JSON.stringify(behaviour);
  });
}

async function statusOf(key = "a", model = "gpt-4o"): Promise<number> {
  const response = await fetch(`${world.sim.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ model, messages: [{ role: "user", content: "Hello" }] }),
  });
  await response.text();
  return response.status;
}

async function statusesOf(count: number, key?: string, model?: string): Promise<readonly number[]> {
  const all: number[] = [];
  for (let n = 0; n < count; n += 1) all.push(await statusOf(key, model));
  return all;
}

describe.each(WEATHERS)("weather %s", (weather) => {
  test("B7: the same seed gives the same sequence, another one another", () => {
    expect(sequence(weather, 1)).toEqual(sequence(weather, 1));
    if (weather === "drizzle" || weather === "storm") {
      expect(sequence(weather, 1)).not.toEqual(sequence(weather, 2));
      expect(sequence(weather, 1, "a")).not.toEqual(sequence(weather, 1, "b"));
    }
  });
});

test("B7: drizzle causes some errors, a storm every kind of failure, calm none", () => {
  const share = (weather: Weather, what: string): number =>
    sequence(weather, 3, "a", 1000).filter((one) => one.includes(what)).length / 1000;
  expect(share("calm", '"answer"')).toBe(1);
  expect(share("drizzle", '"answer"')).toBeGreaterThan(0.65);
  expect(share("drizzle", '"rate-limited"')).toBeGreaterThan(0.1);
  expect(share("drizzle", '"overloaded"')).toBeGreaterThan(0.05);
  for (const what of ["down", "stall", "cut", "overloaded", "fault"])
    expect(share("storm", `"${what}"`)).toBeGreaterThan(0.03);
  expect(share("storm", '"answer"')).toBeGreaterThan(0.2);
});

test("B7: weather changes while it runs, by call and over HTTP, and the same seed plays the same again", async () => {
  expect(await statusesOf(3)).toEqual([200, 200, 200]);
  world.sim.setWeather("drizzle", 5);
  const first = await statusesOf(25);
  expect(new Set(first).size).toBeGreaterThan(1);
  const change = await fetch(`${world.sim.url}/_sim/weather`, {
    method: "POST",
    body: '{"weather":"drizzle","seed":5}',
  });
  expect(await change.json()).toEqual({ weather: "drizzle", seed: 5 });
  expect(await statusesOf(25)).toEqual(first);
  expect(await (await fetch(`${world.sim.url}/_sim/weather`)).json()).toEqual({ weather: "drizzle", seed: 5 });
  const bad = await fetch(`${world.sim.url}/_sim/weather`, { method: "POST", body: '{"weather":"hail"}' });
  expect([bad.status, await bad.json()]).toEqual([
    400,
    { error: "weather must be one of calm, drizzle, storm, quota" },
  ]);
});

test("B7: under quota each key runs dry, over all its models, and the next key helps", async () => {
  world.sim.setWeather("quota");
  const a = [...(await statusesOf(5, "a", "one")), ...(await statusesOf(5, "a", "two"))];
  expect(a.slice(0, 3)).toEqual([200, 200, 200]);
  expect(a.at(-1)).toBe(429);
  expect(a).toEqual([...a].sort());
  expect(await statusOf("b")).toBe(200);
});

test("B7: named behaviours stand above the weather", async () => {
  world.sim.setWeather("storm");
  expect(await statusesOf(10, "a", "ok")).toEqual(Array(10).fill(200));
});
