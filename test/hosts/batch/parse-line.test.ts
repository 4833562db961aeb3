import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isBad } from "../../../src/hosts/batch/input/batch-line.ts";
import { estimateTokens } from "../../../src/hosts/batch/input/estimate-tokens.ts";
import { hashOf, parseLine } from "../../../src/hosts/batch/input/parse-line.ts";

const line = (text: string, number = 7) => parseLine({ number, text, isTooLong: false });
const request = (value: unknown) => {
  const parsed = line(JSON.stringify(value));
  if (isBad(parsed)) throw new Error(parsed.error);
  return parsed;
};
const error = (value: unknown): string => {
  const parsed = line(typeof value === "string" ? value : JSON.stringify(value));
  return isBad(parsed) ? parsed.error : "";
};

describe("a line of a batch", () => {
  test("B6: is a prompt, an object with a prompt or messages, or a line of OpenAI's batch format", () => {
    expect(request("Why?")).toMatchObject({ id: 7, request: { messages: [{ role: "user", content: "Why?" }] } });
    expect(request({ id: "a", prompt: "Why?", system: "Be brief" })).toMatchObject({
      id: "a",
      request: { system: "Be brief", messages: [{ role: "user", content: "Why?" }] },
    });
    const messages = [
      { role: "system", content: "Be brief" },
      {
        role: "user",
        content: [
          { type: "text", text: "Wh" },
          { type: "text", text: "y?" },
        ],
      },
      { role: "assistant", content: "Because." },
      { role: "user", content: "Really?" },
    ];
    expect(request({ id: 5, messages }).request).toMatchObject({
      system: "Be brief",
      messages: [{ content: "Why?" }, { parts: [{ type: "text", text: "Because." }] }, { content: "Really?" }],
    });
    const body = {
      ...{ model: "gpt-x", messages, max_tokens: 50, temperature: 0.5, top_p: 1, stop: "END", seed: 3 },
      ...{ reasoning_effort: "low", response_format: { type: "json_object" }, stream: false, user: "u", n: 1 },
    };
    const given = request({ custom_id: "c1", method: "POST", url: "/v1/chat/completions", body });
    expect(given).toMatchObject({
      id: "c1",
      request: { model: "openai/gpt-x", maxTokens: 50, reasoning: "low", json: {} },
    });
    expect(given.request.sampling).toEqual({ temperature: 0.5, topP: 1, seed: 3, stop: ["END"] });
  });

  test.each([
    ["no JSON", /^line 7: the line must be a JSON string, an object .*; got "no JSON"$/],
    ["[1]", /the line must be a JSON string/],
    [{ prompt: "" }, /^line 7: prompt must be a text that is not empty; got ""$/],
    [{ messages: [] }, /messages must be a list such as/],
    [{ messages: [{ role: "bot", content: "x" }] }, /messages\[0\]\.role must be one of system, .*; got "bot"$/],
    [
      { messages: [{ role: "user", content: [{ type: "image_url" }] }] },
      /messages\[0\]\.content\[0\]\.type must be one of text/,
    ],
    [{ messages: [{ role: "system", content: "x" }] }, /messages must be a list with a user message/],
    [{ id: {}, prompt: "x" }, /^line 7: id must be a string of 1 to 1000 characters/],
    [{ prompt: "x", max_tokens: 0 }, /max_tokens must be a whole number of at least 1; got 0$/],
    [{ prompt: "x", temperature: 3 }, /temperature must be a number from 0 to 2; got 3$/],
    [{ prompt: "x", tools: [] }, /tools must be absent: known are model, messages/],
    [{ prompt: "x", model: "gpt-x" }, /model must be provider\/model; got "gpt-x"$/],
    [{ custom_id: "a", url: "/v1/embeddings", body: {} }, /for embeddings, use secondwind embed/],
    [{ custom_id: "a", method: "GET", body: {} }, /method must be one of POST; got "GET"/],
    [{ custom_id: "a", body: { messages: 1 } }, /body\.messages must be a list such as/],
  ])("B6: %j is a bad line, whose error names line, field, value and what is allowed", (given, expected) => {
    expect(error(given)).toMatch(expected);
  });

  test("B6: keeps its id even if it is bad, and its hash whatever its line end is", () => {
    expect(line('{"id":"a","messages":3}')).toMatchObject({ id: "a", number: 7 });
    expect(hashOf('"x"\r')).toBe(hashOf('"x"'));
    expect(hashOf('"x"')).toMatch(/^[0-9a-f]{8}$/);
  });

  test("B6: never throws, whatever stands in it", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(line(text)).toMatchObject({ number: 7 });
      }),
    );
  });

  test("B6: tokens are guessed by letters, and by characters for Chinese", () => {
    const of = (content: string) => estimateTokens({ messages: [{ role: "user", content }] });
    expect(of("a".repeat(400))).toBe(104);
    expect(of("你".repeat(100))).toBe(104);
  });
});
