import { describe, expect, test } from "vitest";
import { parseScenario } from "../../../src/simulator/http/behaviour/parse-scenario.ts";
import { InvalidScenario, startSimulator } from "../../../src/simulator/http/index.ts";

const GOOD = `{
  "seed": 7,
  "weather": "drizzle",
  "timeScale": 0,
  "models": {
    "gpt-4o": ["overloaded@2", { "do": "rate-limited", "hintMs": 1500 }, { "do": "ok", "text": "Here I am." }],
    "*": ["down"]
  }
}`;

async function ask(url: string, model: string): Promise<string> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: "Bearer key" },
    body: JSON.stringify({ model, messages: [{ role: "user", content: "Hello" }] }),
  });
  const body = (await response.json()) as { choices?: { message: { content: string } }[] };
  return `${response.status} ${body.choices?.[0]?.message.content ?? ""}`.trim();
}

test("B7: plays the behaviours of a scenario in order, keeps the last one, and uses * for other models", async () => {
  const sim = await startSimulator({ scenario: GOOD });
  try {
    const seen: string[] = [];
    for (let n = 0; n < 5; n += 1) seen.push(await ask(sim.url, "gpt-4o"));
    expect(seen).toEqual(["503", "503", "429", "200 Here I am.", "200 Here I am."]);
    expect(await ask(sim.url, "anything")).toBe("503");
    expect(await ask(sim.url, "echo")).toBe("200 Hello");
    expect(sim.weather).toBe("drizzle");
  } finally {
    await sim.close();
  }
});

test("B7: accepts a scenario as a value", async () => {
  const sim = await startSimulator({ timeScale: 0, scenario: { models: { m: ["quota", "ok"] } } });
  expect([await ask(sim.url, "m"), (await ask(sim.url, "m")).slice(0, 3)]).toEqual(["429", "200"]);
  await sim.close();
});

describe("an invalid scenario", () => {
  test.each([
    ["no JSON", '{\n  "seed": 1,\n  oops\n}', 3, "", /field name in double quotes/],
    ["a missing comma", '{\n "seed": 1\n "weather": "calm"\n}', 3, "", /expected "}" or ","/],
    ["an early end", '{\n "models": {\n', 3, "", /the end of the file/],
    ["text after it", "{}\n{}", 2, "", /expected the end of the file/],
    ["a field twice", '{"seed": 1,\n"seed": 2}', 2, "", /duplicate field "seed"/],
    ["a bad number", '{"seed": 1.2.3}', 1, "", /not a JSON value/],
    ["no object", "[]", 1, "", /must be an object/],
    [
      "an unknown field",
      '{\n\n "speed": 3\n}',
      3,
      "speed",
      /scenario.speed must be omitted .*known fields: seed, weather/,
    ],
    ["an unknown weather", '{\n "weather": "hail"\n}', 2, "weather", /one of calm, drizzle, storm, quota/],
    ["a negative scale", '{\n "timeScale": -1\n}', 2, "timeScale", /from 0 to 1000/],
    ["no list", '{"models": {\n "m": "ok"\n}}', 2, "models.m", /a list of behaviours/],
    ["an empty list", '{"models": {\n "m": []\n}}', 2, "models.m", /a list of behaviours/],
    [
      "an unknown behaviour",
      '{"models": {"m": [\n"ok",\n"okay"\n]}}',
      3,
      "models.m[1]",
      /must be one of ok, stall, .*; got "okay"/,
    ],
    [
      "an unknown behaviour in do",
      '{"models":{"m":[{\n"do": "x"}]}}',
      2,
      "models.m[0].do",
      /must be one of .*; got "x"/,
    ],
    ["nothing to do", '{"models":{"m":[\n{"times": 2}]}}', 2, "models.m[0]", /an object with a field "do"/],
    [
      "a hint without an error",
      '{"models":{"m":[{"do":"ok",\n"hintMs":5}]}}',
      2,
      "models.m[0].hintMs",
      /used with an error/,
    ],
    [
      "a text without an answer",
      '{"models":{"m":[{"do":"down",\n"text":"x"}]}}',
      2,
      "models.m[0].text",
      /used with an answer/,
    ],
    [
      "advice without an error",
      '{"models":{"m":[{"do":"ok",\n"shouldRetry":false}]}}',
      2,
      "models.m[0].shouldRetry",
      /used with an error/,
    ],
    ["invalid times", '{"models":{"m":[{"do":"ok",\n"times":0}]}}', 2, "models.m[0].times", /from 1 to/],
  ])("B7: names line and field for %s", (_what, text, line, field, message) => {
    const fault = (() => {
      try {
        return parseScenario(text);
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(fault).toBeInstanceOf(InvalidScenario);
    expect(fault).toMatchObject({ line, field, message: expect.stringMatching(message) });
    expect((fault as Error).message).toContain(`line ${line}`);
  });

  test("B7: rejects endless nesting without a stack overflow", () => {
    expect(() => parseScenario("[".repeat(100_000))).toThrow(InvalidScenario);
  });
});
