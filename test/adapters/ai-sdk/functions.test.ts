import {
  APICallError,
  generateObject,
  generateText,
  stepCountIs,
  streamObject,
  streamText,
  tool,
  wrapLanguageModel,
} from "ai";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  receiptIn,
  receiptOf,
  resilience,
  resilientModel,
  SecondwindError,
} from "../../../src/adapters/ai-sdk/index.ts";
import { useSimulator } from "../../simulator/http/support.ts";
import { MAKERS, QUICK, rejection } from "./support.ts";

const world = useSimulator();
const PERSON = z.object({ name: z.string(), age: z.number() });

describe.each(MAKERS)("the functions of the AI SDK on %s", (_name, make) => {
  test("E14: generateText makes exactly the engine's calls, with its own retries left on", async () => {
    const model = wrapLanguageModel({ model: make(world.sim, "overloaded-twice"), middleware: resilience(QUICK) });
    const { text, usage, finishReason, providerMetadata } = await generateText({ model, prompt: "echo: hello" });
    expect([text, finishReason]).toEqual(["hello", "stop"]);
    expect(usage.outputTokens).toBeGreaterThan(0);
    expect(receiptIn(providerMetadata)).toMatchObject({ attempts: 3, complete: true });
    expect(world.sim.requests).toHaveLength(3);
  });

  test("E14: streamText makes exactly the engine's calls", async () => {
    const result = streamText({
      model: resilientModel(make(world.sim, "overloaded-twice"), QUICK),
      prompt: "echo: hi",
    });
    let text = "";
    for await (const piece of result.textStream) text += piece;
    expect(text).toBe("hi");
    expect((await result.usage).outputTokens).toBeGreaterThan(0);
    expect(receiptIn(await result.providerMetadata)).toMatchObject({ attempts: 3, complete: true });
    expect(world.sim.requests).toHaveLength(3);
  });

  test("E14: generateObject and streamObject too", async () => {
    const model = resilientModel(make(world.sim, "overloaded-twice"), QUICK);
    const { object, providerMetadata } = await generateObject({ model, schema: PERSON, prompt: "A person" });
    expect(PERSON.safeParse(object).success).toBe(true);
    expect(receiptIn(providerMetadata)?.attempts).toBe(3);
    const streamed = streamObject({ model, schema: PERSON, prompt: "One more" });
    const partial: unknown[] = [];
    for await (const object of streamed.partialObjectStream) partial.push(object);
    expect(await streamed.object).toEqual(partial.at(-1));
    expect(world.sim.requests).toHaveLength(4);
  });

  test("E15b: a tool is called with whole arguments, and the next step has its own receipt", async () => {
    const cities: string[] = [];
    const tools = {
      get_weather: tool({
        inputSchema: z.object({ city: z.string() }),
        execute: async ({ city }) => {
          cities.push(city);
          return "sunny";
        },
      }),
    };
    const model = resilientModel(make(world.sim, "overloaded@1"), QUICK);
    const result = streamText({
      ...{ model, tools, stopWhen: stepCountIs(3) },
      prompt: 'Please call get_weather {"city":"Zürich"} now',
    });
    expect(await result.text).toContain("The tool says");
    expect(cities).toEqual(["Zürich"]);
    const steps = await result.steps;
    expect(steps.map((step) => receiptIn(step.providerMetadata)?.attempts)).toEqual([2, 1]);
  });

  test("B3: a failure that the engine gave up is not tried again by generateText or streamText", async () => {
    const model = resilientModel(make(world.sim, "down"), {
      ...QUICK,
      schedules: { general: { type: "fixed", delayMs: 1, atMost: 1 } },
    });
    const error = await rejection(generateText({ model, prompt: "hi" }));
    expect(error).toBeInstanceOf(SecondwindError);
    expect(APICallError.isInstance((error as SecondwindError).cause)).toBe(true);
    expect(world.sim.requests).toHaveLength(2);
    const errors: unknown[] = [];
    await streamText({ model, prompt: "hi", onError: (event) => void errors.push(event.error) }).consumeStream();
    expect(errors).toEqual([expect.any(SecondwindError)]);
    expect(world.sim.requests).toHaveLength(4);
  });

  test("B3: nor one that it never tried again: the provider's own error says so", async () => {
    const model = resilientModel(make(world.sim, "down"), { enabled: false });
    const error = await rejection(generateText({ model, prompt: "hi" }));
    expect(APICallError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({ isRetryable: false, statusCode: expect.any(Number) });
    expect(receiptOf(error)).toMatchObject({ outcome: "disabled", attempts: 1 });
    expect(world.sim.requests).toHaveLength(1);
  });
});
