import { describe, expect, test } from "vitest";
import { chooseTool } from "../../../src/simulator/http/answer/choose-tool.ts";
import type { ModelRequest } from "../../../src/simulator/http/answer/model-request.ts";
import { type Journey, NO_JOURNEY, ordinal, sayJourney } from "../../../src/simulator/http/answer/prose/journey.ts";
import { ALL_TEXTS } from "../../../src/simulator/http/answer/prose/topics.ts";
import { proseChunks, reasoningChunks, writeProse } from "../../../src/simulator/http/answer/prose/write-prose.ts";
import { seededRandom } from "../../../src/simulator/http/answer/seeded.ts";
import { simulateInProcess } from "../../../src/simulator/http/index.ts";

const answerTo = (prompt: string, journey: Partial<Journey> = {}, seed = 1): string =>
  writeProse({ prompt, journey: { ...NO_JOURNEY, model: "sonnet", ...journey }, random: seededRandom(seed) });

const failed = (what: string, model = "sonnet", key?: number) => ({ model, key, what });
const OVERLOADED = failed("refused with HTTP 529 (overloaded)");
const DOWN = failed("refused with HTTP 503 (service unavailable)");

describe("what the simulated model knows", () => {
  test.each([
    ["Explain exponential backoff", "## Exponential backoff"],
    ["what is JITTER?", "## Jitter"],
    ["How do rate limits work?", "## Rate limits"],
    ["I got a 429", "## Rate limits"],
    ["You exceeded your current quota", "## Quota is not a rate limit"],
    ["what does a circuit breaker do", "## Circuit breaker"],
    ["Why did the stream stop?", "## Streams"],
    ["the API is overloaded", "| 529 |"],
    ["When should I retry?", "## Retries"],
    ["Show me some code", "```ts"],
    ["Make a table of the presets", "| preset |"],
    ["Write a haiku about a 503", "> Service unavailable."],
    ["a haiku about 429, please", "> Too many requests."],
    ["What is Secondwind?", "simulated model"],
    ["Which commands are there?", "`secondwind ask"],
    ["hello", "Hello!"],
    ["What just happened?", "receipt"],
  ])("B7: %s", (prompt, expected) => {
    expect(answerTo(prompt)).toContain(expected);
  });

  test("B7: says honestly that it cannot answer anything else, and quotes a short question without its markup", () => {
    const answer = answerTo("What is the **capital** of <b>Norway</b>?");
    expect(answer).toContain("“What is the capital of bNorway/b?”");
    expect(answer).toMatch(/simulated/);
    expect(answerTo("x".repeat(200))).not.toContain("xxx");
    expect(answerTo("")).toContain("that");
  });

  test("B7: answers a question in Chinese in Chinese", () => {
    expect(answerTo("解释指数退避")).toContain("## 指数退避");
    expect(answerTo("写一首关于 503 的俳句")).toContain("> 服务不可用");
    expect(answerTo("你好", { trail: { calls: [DOWN], count: 1 } })).toContain("之前 1 次失败了：HTTP 503");
  });
});

describe("what the simulated model tells of the way", () => {
  test("B7: names each failure before the answer, and none if there was none", () => {
    expect(sayJourney(NO_JOURNEY)).toBe("");
    expect(sayJourney({ ...NO_JOURNEY, model: "sonnet", trail: { calls: [DOWN, OVERLOADED], count: 2 } })).toBe(
      "This is the **third call** for your question. The first was refused with HTTP 503 (service unavailable), and the second was refused with HTTP 529 (overloaded). Each time it was asked again, and this answer got through.",
    );
    expect(answerTo("hi", { trail: { calls: [DOWN, DOWN], count: 2 } })).toContain(
      "The first two were refused with HTTP 503 (service unavailable).",
    );
  });

  test("B7: many failures become a table, and a switch of model or key is named", () => {
    const calls = Array.from({ length: 4 }, () => DOWN);
    const told = sayJourney({ ...NO_JOURNEY, model: "haiku", trail: { calls, count: 30 } });
    expect(told).toContain("**31st call**");
    expect(told).toContain("| 30 | sonnet | refused with HTTP 503 (service unavailable) |");
    expect(told).toContain("Then `haiku` was asked instead of `sonnet`, and this answer got through.");
    const dry = failed("refused with HTTP 400 (credit used up)", "sonnet", 1);
    expect(sayJourney({ ...NO_JOURNEY, model: "sonnet", key: 2, trail: { calls: [dry], count: 1 } })).toContain(
      "Then key 2 was used instead of key 1, and this answer got through.",
    );
  });

  test.each([
    [1, "first"],
    [10, "tenth"],
    [11, "11th"],
    [22, "22nd"],
    [103, "103rd"],
    [112, "112th"],
  ])("B7: %i is %s", (n, word) => expect(ordinal(n)).toBe(word));

  test("B7: a question about what happened is answered with the question before it", () => {
    expect(answerTo("What just happened?", { previous: { calls: [DOWN], count: 1 } })).toContain(
      "Your last question was answered on the **second call**. The first was refused with HTTP 503",
    );
    expect(answerTo("What just happened?", { previous: { calls: [], count: 0 } })).toContain("Nothing special");
  });

  test("B7: over HTTP the third call knows what happened to the first two, for each client by itself", async () => {
    const sim = simulateInProcess({ timeScale: 0.01, firstTokenMs: 0, tokenMs: 0 });
    const ask = async (key: string, model = "overloaded-twice", content = "Hello"): Promise<string> => {
      const response = await sim.fetch(`${sim.url}/v1/messages`, {
        method: "POST",
        headers: { "x-api-key": key },
        body: JSON.stringify({ model, max_tokens: 1000, messages: [{ role: "user", content }] }),
      });
      return response.text();
    };
    for (const key of ["a", "b"]) for (let n = 0; n < 2; n += 1) expect(await ask(key)).toContain("overloaded_error");
    const answer = await ask("a");
    expect(answer).toContain("third call");
    expect(answer).toContain("The first two were refused with HTTP 529 (overloaded).");
    expect(await ask("a")).not.toContain("third call");
    expect(await ask("a", "ok", "What just happened?")).toContain("answered on the first call");
    // Numbered keys belong to one client.
    sim.setFault("quota");
    await ask("mine#1", "sonnet");
    expect(await ask("mine#2", "sonnet")).toContain(
      "Then key 2 was used instead of key 1, and this answer got through.",
    );
    // A change of the weather does not undo what has happened.
    sim.setWeather("calm");
    expect(await ask("mine#2", "sonnet", "What just happened?")).toContain("credit used up");
    sim.reset();
    expect(await ask("mine#2", "sonnet", "What just happened?")).toContain("Nothing yet");
  });

  test("B7: an answer that broke off is told of, too", async () => {
    const sim = simulateInProcess({ timeScale: 0.01, firstTokenMs: 0, tokenMs: 0 });
    sim.setFault("cut-12");
    const ask = () =>
      sim.fetch(`${sim.url}/v1/chat/completions`, {
        method: "POST",
        headers: { authorization: "Bearer k" },
        body: JSON.stringify({ model: "sonnet", stream: true, messages: [{ role: "user", content: "Hi" }] }),
      });
    await expect(ask().then((response) => response.text())).rejects.toThrow();
    const text = (await (await ask()).text())
      .split("\n")
      .filter((line) => line.startsWith("data: {"))
      .map(
        (line) =>
          (JSON.parse(line.slice(6)) as { choices: { delta: { content?: string } }[] }).choices[0]?.delta.content,
      )
      .join("");
    expect(text).toContain("The first was cut off after 12 words.");
  });
});

describe("the prose as tokens", () => {
  const asked = (seed: number, prompt = "hello") => ({ prompt, journey: NO_JOURNEY, random: seededRandom(seed) });

  test("B7: the same seed and request give the same chunks, which join to the text", () => {
    for (const prompt of ["hello", "Explain exponential backoff", "解释指数退避", "Show me some code"]) {
      expect(proseChunks(asked(3, prompt))).toEqual(proseChunks(asked(3, prompt)));
      expect(proseChunks(asked(3, prompt)).join("")).toBe(writeProse(asked(3, prompt)));
    }
    expect(new Set([1, 20, 300, 4000, 50_000, 600_000].map((seed) => writeProse(asked(seed)))).size).toBeGreaterThan(1);
    expect(proseChunks(asked(3, "解释指数退避")).length).toBeGreaterThan(50);
  });

  test.each([0, 1, 5, 40, 500, 5000])("B7: %i tokens are as many chunks of prose", (tokens) => {
    const chunks = proseChunks(asked(1), tokens);
    expect(chunks.length).toBe(tokens);
    expect(chunks.every((chunk) => chunk.trim() !== "")).toBe(true);
  });

  test("B7: every answer has characters of one to four bytes, to expose errors in decoding", () => {
    for (const prompt of ["hello", "What?", "Write a haiku", "code", "Explain jitter"]) {
      const sizes = new Set([...answerTo(prompt, { weather: "drizzle" })].map((char) => Buffer.byteLength(char)));
      expect(sizes).toEqual(new Set([1, 2, 3, 4]));
    }
  });

  test("B7: reasoning is prose as well", () => {
    expect(reasoningChunks(asked(1)).join("")).toMatch(/^I know about this\. Nothing failed/);
  });

  test("B7: no text is empty, and every fence is closed", () => {
    for (const text of ALL_TEXTS) expect([text.length > 100, (text.match(/```/g) ?? []).length % 2]).toEqual([true, 0]);
  });
});

describe("the choice of a tool", () => {
  const tools = ["list", "read", "ask", "get_weather"].map((name) => ({ name, schema: {} }));
  const request = (prompt: string): ModelRequest => ({
    ...{ model: "ok", isStreaming: true, prompt, inputChars: 10, tools, toolChoice: "auto" },
    ...{ wantsReasoning: false, wantsUsage: true, framing: "sse" },
  });

  test.each([
    ["Give me a list of my tasks", undefined],
    ["I have already read that", undefined],
    ['list {"path":"docs"}', "list"],
    ['please read {"path":"a.txt"} and tell me', "read"],
    ["call list", "list"],
    ["use the `read` tool", "read"],
    ["Please call get_weather now", "get_weather"],
    ["what does get_weather return?", "get_weather"],
    ["get_weather_now", undefined],
    ["use a tool", "list"],
  ])("B7: %s → %s", (prompt, expected) => expect(chooseTool(request(prompt))?.name).toBe(expected));
});
