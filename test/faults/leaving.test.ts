import { describe, expect, test } from "vitest";
import { resilientModel } from "../../src/adapters/ai-sdk/index.ts";
import { resilientFetch } from "../../src/adapters/fetch/index.ts";
import { useSimulator } from "../simulator/http/support.ts";
import { until } from "../support/until.ts";
import { anthropicModel, chatModel, googleModel, responsesModel } from "./support/ai-sdk-probe.ts";
import { ask, named, nap, TEXT } from "./support/ask-ours.ts";
import type { Ask } from "./support/probe.ts";

const world = useSimulator({ tokenMs: 1, timeScale: 1 });
const isSettled = (): boolean => world.sim.requests.every(({ state }) => state !== "open");

describe.each(named)("%s", (_name, client) => {
  test("E13: fault 52: a signal that has aborted starts nothing", async () => {
    const { calls, ended } = ask(world.sim, client, { model: "ok", signal: AbortSignal.abort(new Error("enough")) });
    expect(await ended).toBeDefined();
    expect(calls.started).toBe(0);
  });

  test.each(["ok", "fault-6", "overloaded", "silent", "stall-2"])(
    "E13: fault 52: an abort at any moment of %s ends it, starts nothing more and closes the socket",
    async (model) => {
      const moments = [0, 1, 2, 4, 8, 12, 17, 23, 31, 47];
      await Promise.all(
        moments.map(async (ms) => {
          const controller = new AbortController();
          const { calls, ended } = ask(world.sim, client, { model, signal: controller.signal });
          await (ms < 3 ? Promise.resolve() : nap(ms));
          controller.abort(new Error("enough"));
          const { started } = calls;
          await ended;
          await nap(60);
          expect(calls.started).toBeLessThanOrEqual(started + (ms < 3 ? 1 : 0));
        }),
      );
      await until(isSettled);
    },
  );

  test("E13: fault 52: an abort at any piece of the answer ends it there", async () => {
    for (const piece of [1, 2, 4]) {
      const controller = new AbortController();
      let pieces = 0;
      const onText = (): void => {
        pieces += 1;
        if (pieces === piece) controller.abort(new Error("enough"));
      };
      const { calls, ended, sight } = ask(world.sim, client, { model: "ok", signal: controller.signal, onText });
      await ended;
      expect(calls.started).toBe(1);
      expect(TEXT.slice(6).startsWith(sight.text)).toBe(true);
    }
    await until(isSettled);
  });
});

describe("fault 54", () => {
  const left = async (): Promise<void> => {
    await until(isSettled);
    expect(world.sim.requests.map(({ state }) => state)).toEqual(["client-left"]);
  };

  // Google's SDK and `streamText` keep the body when their reader leaves: for those the doors themselves are left, below.
  test.each(named.filter(([, { door, format }]) => door === "fetch" && format !== "Gemini"))(
    "E13: %s: a reader that leaves the loop closes the connection",
    async (_name, client) => {
      const onText = (): never => {
        throw new Error("the reader has left");
      };
      const { ended } = ask(world.sim, client, { model: "stall-2", onText });
      expect(await ended).toMatchObject({ message: "the reader has left" });
      await left();
    },
  );

  test("E13: a body of `resilientFetch` that is cancelled closes the connection", async () => {
    const path = `${world.sim.urls.gemini}/v1beta/models/stall-2:streamGenerateContent?alt=sse`;
    const body = JSON.stringify({ contents: [{ parts: [{ text: TEXT }] }] });
    const response = await resilientFetch()(path, { method: "POST", body, headers: { "x-goog-api-key": "a" } });
    await response.body?.cancel();
    await left();
  });

  test.each([
    ["OpenAI chat", chatModel],
    ["OpenAI responses", responsesModel],
    ["Anthropic", anthropicModel],
    ["Google", googleModel],
  ] as const)("E13: %s: a stream of `resilientModel` that is left closes the connection", async (_name, make) => {
    const { urls } = world.sim;
    const model = resilientModel(
      make({ urls, apiKey: "a", model: "stall-2", fetch: globalThis.fetch } as unknown as Ask),
    );
    const prompt = [{ role: "user" as const, content: [{ type: "text" as const, text: TEXT }] }];
    const { stream } = await model.doStream({ prompt });
    for await (const { type } of stream) if (type === "text-delta") break;
    await left();
  });
});
