import Anthropic from "@anthropic-ai/sdk";
import { ApiError as GoogleApiError, GoogleGenAI, Type } from "@google/genai";
import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import { ASK_TOOL, collect, KEY, useSimulator, WEATHER_SCHEMA } from "./support.ts";

const world = useSimulator();
const openai = () => new OpenAI({ apiKey: KEY, baseURL: world.sim.urls.openai, maxRetries: 0 });
const anthropic = () => new Anthropic({ apiKey: KEY, baseURL: world.sim.urls.anthropic, maxRetries: 0 });
const google = () => new GoogleGenAI({ apiKey: KEY, httpOptions: { baseUrl: world.sim.urls.gemini } });

const CHAT_TOOL = { type: "function", function: { name: "get_weather", parameters: WEATHER_SCHEMA } } as const;
const RESPONSES_TOOL = { type: "function", name: "get_weather", parameters: WEATHER_SCHEMA, strict: false } as const;
const ANTHROPIC_TOOL = { name: "get_weather", input_schema: WEATHER_SCHEMA } as unknown as Anthropic.Tool;
const GOOGLE_TOOL = {
  functionDeclarations: [
    {
      name: "get_weather",
      parameters: { type: Type.OBJECT, properties: { city: { type: Type.STRING }, days: { type: Type.INTEGER } } },
    },
  ],
};
const EXPECTED = { city: "Zürich", days: 2 };

describe("the openai SDK", () => {
  test("B7: completes a streamed chat with a tool call, reasoning and usage", async () => {
    const stream = openai().chat.completions.stream({
      model: "ok",
      messages: [{ role: "user", content: ASK_TOOL }],
      tools: [CHAT_TOOL],
      reasoning_effort: "low",
      stream_options: { include_usage: true },
    });
    const chunks = await collect(stream);
    const final = await stream.finalChatCompletion();
    const [choice] = final.choices;
    expect(choice?.finish_reason).toBe("tool_calls");
    const call = choice?.message.tool_calls?.[0];
    expect(call?.type === "function" && JSON.parse(call.function.arguments)).toEqual(EXPECTED);
    expect(choice?.message.content).toBe("Let me look that up.");
    expect(final.usage?.completion_tokens).toBeGreaterThan(10);
    expect(chunks.some(({ choices }) => "reasoning_content" in (choices[0]?.delta ?? {}))).toBe(true);
  });

  test("B7: continues after the tool's result, with the same text both times", async () => {
    const ask = () =>
      openai().chat.completions.create({
        model: "ok",
        messages: [
          { role: "user", content: ASK_TOOL },
          {
            role: "assistant",
            tool_calls: [{ id: "c", type: "function", function: { name: "get_weather", arguments: "{}" } }],
          },
          { role: "tool", tool_call_id: "c", content: "rain, 9 °C" },
        ],
        tools: [CHAT_TOOL],
      });
    const { choices, usage } = await ask();
    expect(choices[0]).toMatchObject({ finish_reason: "stop", message: { content: "The tool says: rain, 9 °C" } });
    expect(usage?.prompt_tokens).toBeGreaterThan(0);
  });

  test("B7: gets no usage in a stream unless it asks for it", async () => {
    const messages = [{ role: "user" as const, content: "Hello" }];
    const chunks = await collect(await openai().chat.completions.create({ model: "sim/ok", messages, stream: true }));
    expect(chunks.some((chunk) => "usage" in chunk)).toBe(false);
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe("stop");
  });

  test("B7: completes a streamed response with a tool call, reasoning and usage", async () => {
    const stream = openai().responses.stream({
      model: "ok",
      input: ASK_TOOL,
      tools: [RESPONSES_TOOL],
      reasoning: { effort: "low", summary: "auto" },
    });
    const events = await collect(stream);
    const final = await stream.finalResponse();
    expect(final.status).toBe("completed");
    expect(final.output.map(({ type }) => type)).toEqual(["reasoning", "message", "function_call"]);
    const call = final.output.find(({ type }) => type === "function_call");
    expect(call?.type === "function_call" && JSON.parse(call.arguments)).toEqual(EXPECTED);
    expect(final.usage?.total_tokens).toBeGreaterThan(10);
    expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, place) => place));
  });

  test("B7: completes a response without a stream", async () => {
    const response = await openai().responses.create({ model: "ok", input: "echo: Grüße 🌊" });
    expect(response.output_text).toBe("Grüße 🌊");
  });

  test("B7: reports that an answer reached its output limit", async () => {
    const messages = [{ role: "user" as const, content: "Hello" }];
    const { choices } = await openai().chat.completions.create({ model: "ok", messages, max_completion_tokens: 3 });
    expect(choices[0]?.finish_reason).toBe("length");
    const response = await openai().responses.create({ model: "ok", input: "Hello", max_output_tokens: 3 });
    expect(response).toMatchObject({ status: "incomplete", incomplete_details: { reason: "max_output_tokens" } });
  });

  test("B7: gets embeddings of length 1, the same for the same text, and a list of models", async () => {
    const { data } = await openai().embeddings.create({ model: "ok", input: ["one", "two", "one"] });
    expect(data.map(({ embedding }) => embedding.length)).toEqual([64, 64, 64]);
    expect(data[0]?.embedding).toEqual(data[2]?.embedding);
    expect(Math.hypot(...(data[1]?.embedding ?? []))).toBeCloseTo(1, 5);
    const models = await collect(openai().models.list());
    expect(models.map(({ id }) => id)).toContain("overloaded-twice");
  });

  test.each([
    ["rate-limited", OpenAI.RateLimitError, 429],
    ["quota", OpenAI.RateLimitError, 429],
    ["overloaded", OpenAI.InternalServerError, 503],
    ["server-error", OpenAI.InternalServerError, 500],
    ["overflow", OpenAI.BadRequestError, 400],
    ["unauthorized", OpenAI.AuthenticationError, 401],
    ["forbidden", OpenAI.PermissionDeniedError, 403],
    ["not-found", OpenAI.NotFoundError, 404],
  ])("B7: throws for %s what it throws for the real thing", async (model, type, status) => {
    const asking = openai().chat.completions.create({ model, messages: [{ role: "user", content: "Hello" }] });
    const fault: unknown = await asking.catch((thrown: unknown) => thrown);
    expect(fault).toBeInstanceOf(type);
    expect(fault).toMatchObject({ status, error: { message: expect.any(String), type: expect.any(String) } });
  });
});

describe("the Anthropic SDK", () => {
  test("B7: completes a streamed message with thinking, a tool call and usage", async () => {
    const stream = anthropic().messages.stream({
      model: "ok",
      max_tokens: 1024,
      messages: [{ role: "user", content: ASK_TOOL }],
      tools: [ANTHROPIC_TOOL],
      thinking: { type: "enabled", budget_tokens: 1024 },
    });
    const final = await stream.finalMessage();
    expect(final.stop_reason).toBe("tool_use");
    expect(final.content.map(({ type }) => type)).toEqual(["thinking", "text", "tool_use"]);
    expect(final.content.at(-1)).toMatchObject({ type: "tool_use", name: "get_weather", input: EXPECTED });
    expect(final.usage.output_tokens).toBeGreaterThan(10);
  });

  test("B7: completes a message without a stream, and continues after the tool's result", async () => {
    const ask = { model: "ok", max_tokens: 1024, tools: [ANTHROPIC_TOOL] };
    const first = await anthropic().messages.create({ ...ask, messages: [{ role: "user", content: ASK_TOOL }] });
    expect(first.content.at(-1)).toMatchObject({ type: "tool_use", input: EXPECTED });
    const second = await anthropic().messages.create({
      ...ask,
      messages: [
        { role: "user", content: ASK_TOOL },
        { role: "assistant", content: first.content },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "t", content: "rain" }] },
      ],
    });
    expect(second).toMatchObject({ stop_reason: "end_turn", content: [{ type: "text", text: "The tool says: rain" }] });
  });

  test("B7: lists models in its own shape", async () => {
    const page = await anthropic().models.list();
    expect(page.data[0]).toMatchObject({ type: "model", id: "sonnet" });
  });

  test.each([
    ["rate-limited", Anthropic.RateLimitError, 429, "rate_limit_error"],
    ["quota", Anthropic.BadRequestError, 400, "invalid_request_error"],
    ["overloaded", Anthropic.InternalServerError, 529, "overloaded_error"],
    ["down", Anthropic.InternalServerError, 503, "api_error"],
    ["overflow", Anthropic.BadRequestError, 400, "invalid_request_error"],
    ["unauthorized", Anthropic.AuthenticationError, 401, "authentication_error"],
    ["forbidden", Anthropic.PermissionDeniedError, 403, "permission_error"],
    ["not-found", Anthropic.NotFoundError, 404, "not_found_error"],
  ])("B7: throws for %s what it throws for the real thing", async (model, type, status, name) => {
    const asking = anthropic().messages.create({
      model,
      max_tokens: 9,
      messages: [{ role: "user", content: "Hello" }],
    });
    const fault: unknown = await asking.catch((thrown: unknown) => thrown);
    expect(fault).toBeInstanceOf(type);
    expect(fault).toMatchObject({ status, error: { type: "error", error: { type: name } } });
  });
});

describe("the Google SDK", () => {
  test("B7: completes a streamed answer with thoughts, a function call and usage", async () => {
    const chunks = await collect(
      await google().models.generateContentStream({
        model: "ok",
        contents: ASK_TOOL,
        config: { tools: [GOOGLE_TOOL], thinkingConfig: { includeThoughts: true } },
      }),
    );
    const parts = chunks.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? []);
    expect(parts.some(({ thought }) => thought === true)).toBe(true);
    expect(parts.find(({ functionCall }) => functionCall !== undefined)?.functionCall).toMatchObject({
      name: "get_weather",
      args: EXPECTED,
    });
    expect(chunks.at(-1)?.candidates?.[0]?.finishReason).toBe("STOP");
    expect(chunks.at(-1)?.usageMetadata?.totalTokenCount).toBeGreaterThan(10);
  });

  test("B7: completes an answer without a stream, and one that must be JSON", async () => {
    const plain = await google().models.generateContent({ model: "sim/ok", contents: "echo: hello there" });
    expect(plain.text).toBe("hello there");
    const json = await google().models.generateContent({
      model: "ok",
      contents: "Hello",
      config: {
        responseMimeType: "application/json",
        responseSchema: { type: Type.OBJECT, properties: { mood: { type: Type.STRING, enum: ["calm", "wild"] } } },
      },
    });
    expect(JSON.parse(json.text ?? "")).toEqual({ mood: "calm" });
  });

  test("B7: gets embeddings", async () => {
    const { embeddings } = await google().models.embedContent({ model: "ok", contents: ["one", "two"] });
    expect(embeddings?.map(({ values }) => values?.length)).toEqual([64, 64]);
  });

  test.each([
    ["rate-limited", 429, "RESOURCE_EXHAUSTED"],
    ["quota", 429, "RESOURCE_EXHAUSTED"],
    ["overloaded", 503, "UNAVAILABLE"],
    ["overflow", 400, "INVALID_ARGUMENT"],
    ["unauthorized", 400, "API_KEY_INVALID"],
    ["forbidden", 403, "PERMISSION_DENIED"],
    ["not-found", 404, "NOT_FOUND"],
  ])("B7: throws for %s what it throws for the real thing", async (model, status, name) => {
    const asking = google().models.generateContent({ model, contents: "Hello" });
    const fault: unknown = await asking.catch((thrown: unknown) => thrown);
    expect(fault).toBeInstanceOf(GoogleApiError);
    expect(fault).toMatchObject({ status, message: expect.stringContaining(name) });
  });
});
