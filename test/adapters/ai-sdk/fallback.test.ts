import { generateText, streamText } from "ai";
import { describe, expect, test } from "vitest";
import { receiptIn, receiptOf, resilientModel, SecondwindError } from "../../../src/adapters/ai-sdk/index.ts";
import { useSimulator } from "../../simulator/http/support.ts";
import { answer, finish, partsOf, START, says, scripted } from "./scripted-model.ts";
import { anthropic, CALL, google, QUICK, rejection, responses } from "./support.ts";

const world = useSimulator();
const failsWith = (statusCode: number, message: string) => (): never => {
  throw Object.assign(new Error(message), { statusCode });
};
const named = (provider: string, modelId: string) => ({ provider, modelId });

describe("fallback", () => {
  test("E17: crosses wire formats: OpenAI's quota is used up, Anthropic answers, with no wait", async () => {
    const model = resilientModel([responses(world.sim, "quota"), anthropic(world.sim, "ok")]);
    const { text, providerMetadata } = await generateText({ model, prompt: "echo: over there" });
    expect(text).toBe("over there");
    expect(receiptIn(providerMetadata)).toMatchObject({
      ...{ complete: true, attempts: 2, waitedMs: 0 },
      targets: [
        { provider: "openai", model: "quota", credential: "" },
        { provider: "anthropic", model: "ok", credential: "" },
      ],
      history: [{ kind: "usage_limit", status: 429 }, { attempt: 2 }],
    });
    expect(world.sim.requests.map(({ provider }) => provider)).toEqual(["openai", "anthropic"]);
  });

  test("E17: streams as well, and the target that cools down is left out the next time", async () => {
    const model = resilientModel([responses(world.sim, "quota"), google(world.sim, "ok")]);
    for (const words of ["one", "two"]) {
      expect(await streamText({ model, prompt: `echo: ${words}` }).text).toBe(words);
    }
    expect(world.sim.requests.map(({ provider }) => provider)).toEqual(["openai", "gemini", "gemini"]);
  });

  test("E17: neighbours of the same provider and model are keys of one model: a limit rotates them", async () => {
    const keys = ["key-1", "key-2"].map((key) => responses(world.sim, "quota@1", key));
    const rotated: unknown[] = [];
    const model = resilientModel([...keys, anthropic(world.sim, "ok")], QUICK, {
      on: (event) => event.type === "target-switch" && rotated.push([event.how, event.to.credential]),
    });
    world.sim.setWeather("calm");
    const first = await model.doGenerate(CALL);
    expect(receiptIn(first.providerMetadata)?.targets.map(({ credential }) => credential)).toEqual(["1", "2", ""]);
    expect(rotated).toEqual([
      ["rotate", "2"],
      ["switch", ""],
    ]);
    expect(world.sim.requests.map(({ key }) => key)).toEqual(["key-1", "key-2", "key-a"]);
  });

  test("E17: a name that comes back later in the list keeps its own number", async () => {
    const down = failsWith(401, "Invalid API key");
    const models = [
      scripted({ generate: [down] }, named("openai.chat", "a")),
      scripted({ generate: [down] }, named("openai.responses", "b")),
      scripted({ generate: [() => answer("good")] }, named("openai.responses", "a")),
    ];
    const { providerMetadata } = await resilientModel(models, QUICK).doGenerate(CALL);
    expect(receiptIn(providerMetadata)?.targets).toEqual([
      { provider: "openai", model: "a", credential: "1" },
      { provider: "openai", model: "b", credential: "" },
      { provider: "openai", model: "a", credential: "2" },
    ]);
  });

  test("E17: an invalid key on every target ends with one error that names the last", async () => {
    const models = ["a", "b"].map((modelId) =>
      scripted({ generate: [failsWith(401, `No key for ${modelId}`)] }, named("p", modelId)),
    );
    const error = await rejection(resilientModel(models, QUICK).doGenerate(CALL));
    expect(error).toBeInstanceOf(SecondwindError);
    expect(receiptOf(error)).toMatchObject({ attempts: 2, history: [{ kind: "auth" }, { kind: "auth" }] });
  });

  test("E18: a hint beyond the cap fails at once with the provider's error", async () => {
    const headers = { "retry-after": "600" };
    const thrown = Object.assign(new Error("slow down"), { statusCode: 429, responseHeaders: headers });
    const model = scripted({ generate: [() => Promise.reject(thrown)] });
    const error = await rejection(resilientModel(model, { maxDelayMs: 1000 }).doGenerate(CALL));
    expect(error).toBe(thrown);
    expect(receiptOf(error)).toMatchObject({ outcome: "delay-cap", attempts: 1, waitedMs: 0 });
  });

  test("E17: headers that carry a secret go to the first provider only", async () => {
    const first = scripted({ generate: [failsWith(401, "no")] }, named("openai.chat", "a"));
    const second = scripted({ generate: [() => answer("good")] }, named("anthropic.messages", "b"));
    const headers = { Authorization: "Bearer secret", "X-API-Key": "secret", "x-trace": "7" };
    await resilientModel([first, second], QUICK).doGenerate({ ...CALL, headers });
    expect(first.calls[0]?.headers).toEqual(headers);
    expect(second.calls[0]?.headers).toEqual({ "x-trace": "7" });
  });

  test("E17: calls that overlap do not mix: each has the receipt of its own targets", async () => {
    const slow = (text: string) => async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return answer(text);
    };
    const primary = scripted({ generate: [failsWith(401, "no"), slow("primary")] }, named("p", "a"));
    const other = scripted({ generate: [slow("other")] }, named("q", "b"));
    const model = resilientModel([primary, other], { ...QUICK, fallback: { cooldownMs: 1 } });
    const results = await Promise.all([model.doGenerate(CALL), model.doGenerate(CALL)]);
    const told = results.map(({ content, providerMetadata }) => [
      content[0]?.type === "text" && content[0].text,
      receiptIn(providerMetadata)?.targets.at(-1)?.provider,
    ]);
    expect(told).toEqual([
      ["other", "q"],
      ["primary", "p"],
    ]);
    expect([model.provider, model.modelId]).toEqual(["p", "a"]);
  });

  test("E14: a fallback in a stream shows the parts of one model only", async () => {
    const broken = scripted({ stream: [() => partsOf([START, { type: "text-start", id: "0" }])] }, named("p", "a"));
    const good = scripted({ stream: [() => partsOf([START, says("good"), finish()])] }, named("q", "b"));
    const policy = { ...QUICK, fallback: { when: "immediate" as const } };
    const { stream } = await resilientModel([broken, good], policy).doStream(CALL);
    const types: string[] = [];
    for await (const part of stream as unknown as AsyncIterable<{ type: string }>) types.push(part.type);
    expect(types).toEqual(["stream-start", "text-delta", "finish"]);
  });

  test("E17: only addresses that every model reads by itself are passed on", async () => {
    const urls = (...types: string[]) => Object.fromEntries(types.map((type) => [type, [/^https:/]]));
    const one = { ...scripted({}), supportedUrls: urls("image/*", "application/pdf") };
    const two = { ...scripted({}), supportedUrls: Promise.resolve(urls("image/*", "audio/*")) };
    expect(await resilientModel([one, two]).supportedUrls).toEqual(urls("image/*"));
    expect(resilientModel(one).supportedUrls).toBe(one.supportedUrls);
  });
});
