import { expect, test } from "vitest";
import { openTavern, useTavern } from "../support/open-tavern.ts";

useTavern();

const FAULT = { do: "fail", text: "Service Unavailable" } as const;

test("T15: covers the page, frames that were there before, that load at the same time and that load later", async () => {
  const tavern = await openTavern({ isScriptOff: true });
  await tavern.page.evaluate(async () => {
    await window.tavern.openMessage("before");
    const script = await (await fetch("/script.txt")).text();
    await Promise.all([
      window.tavern.openMessage("beside-1"),
      window.tavern.openScript("secondwind", script, "ours"),
      window.tavern.openMessage("beside-2"),
    ]);
    await window.tavern.openScript("later", "");
  });
  const callers = ["page", "other", "before", "beside-1", "beside-2", "later", "secondwind"];
  for (const from of callers) {
    for (const name of ["generate", "generateRaw"] as const) {
      await tavern.play(FAULT);
      const call = await tavern.ask({}, from, name);
      await tavern.advance(1000);
      expect(await tavern.outcome(call), `${name} from ${from}`).toMatchObject({ state: "resolved" });
    }
  }
  // And by the frame's own TavernHelper, which is a copy as well.
  await tavern.play(FAULT);
  const value = await tavern.page.evaluate(async () => {
    const { TavernHelper } = window.tavern.windowOf("later") as unknown as {
      TavernHelper: { generate(config: object): Promise<unknown> };
    };
    const answer = TavernHelper.generate({});
    await window.tavern.clock.advance(1000);
    return answer;
  });
  expect(value).toBe("a good answer");
});

test("T15: a frame that got the originals from elsewhere is covered once it has loaded", async () => {
  const tavern = await openTavern();
  await tavern.page.evaluate(() => {
    (window as unknown as Record<string, unknown>).hostFunctions = window.tavern.originals;
    return window.tavern.openMessage("odd", "Object.assign(window, parent.hostFunctions)").then(() => undefined);
  });
  await tavern.play(FAULT);
  const call = await tavern.ask({}, "odd");
  await tavern.advance(1000);
  expect(await tavern.outcome(call)).toMatchObject({ state: "resolved" });
});

test("T15: two copies of the script do not retry each other's retries", async () => {
  const tavern = await openTavern();
  await tavern.page.evaluate(async () => {
    await window.tavern.openScript("second", await (await fetch("/script.txt")).text(), "second");
  });
  await tavern.always(FAULT);
  await tavern.ask();
  await tavern.advance(60_000);
  expect(await tavern.calls()).toHaveLength(4);
  // The first one goes, and the second takes its place.
  await tavern.disableScript();
  await tavern.ask();
  await tavern.advance(60_000);
  expect(await tavern.calls()).toHaveLength(8);
  const left = await tavern.page.evaluate(() => {
    window.tavern.close("second");
    const page = window as unknown as { TavernHelper: { generate: unknown } };
    return {
      isBack: page.TavernHelper.generate === window.tavern.originals.generate,
      traces: Object.getOwnPropertySymbols(window)
        .map(String)
        .filter((name) => name.includes("secondwind")),
    };
  });
  expect(left).toEqual({ isBack: true, traces: [] });
});

test("T14: on unload the very originals are back everywhere, and nothing of ours is left in the page", async () => {
  const tavern = await openTavern({ isScriptOff: true });
  const look = () =>
    tavern.page.evaluate(() => {
      const { originals, windowOf, events } = window.tavern;
      const page = window as unknown as { TavernHelper: object };
      const places = ["other", "message"].flatMap((name) => {
        const own = windowOf(name) as unknown as { TavernHelper: object };
        return [own, own.TavernHelper];
      });
      return {
        isOriginal: [page.TavernHelper, ...places].map((place) =>
          Object.entries(originals).every(([name, original]) => {
            const found = Object.getOwnPropertyDescriptor(place, name);
            return found?.value === original && found.writable && found.enumerable && found.configurable;
          }),
        ),
        listeners: events.count(),
        elements: document.querySelectorAll('[script_id="ours"]').length,
        settings: document.querySelector("#extensions_settings2")?.innerHTML,
      };
    });
  await tavern.page.evaluate(() => window.tavern.openMessage("message").then(() => undefined));
  const before = await look();
  await tavern.enableScript();
  const between = await look();
  await tavern.disableScript();
  expect(await look()).toEqual(before);
  expect(before.isOriginal).toEqual(Array(5).fill(true));
  expect(between.isOriginal).toEqual(Array(5).fill(false));
  expect(between.elements).toBe(2);
});

test("T14: a frame that copied our wrapper gets the original back, and one that kept it calls the original", async () => {
  const tavern = await openTavern();
  await tavern.page.evaluate(async () => {
    await window.tavern.openMessage("later", "window.kept = window.generate;");
  });
  await tavern.disableScript();
  const seen = await tavern.page.evaluate(async () => {
    const own = window.tavern.windowOf("later") as unknown as Record<
      "generate" | "kept",
      (config: object) => Promise<unknown>
    >;
    return { isBack: own.generate === window.tavern.originals.generate, answer: await own.kept({}) };
  });
  expect(seen).toEqual({ isBack: true, answer: "a good answer" });
  await tavern.play(FAULT);
  const message = await tavern.page.evaluate(() => {
    const { kept } = window.tavern.windowOf("later") as unknown as { kept(config: object): Promise<unknown> };
    return kept({}).catch((error: Error) => error.message);
  });
  expect(message).toBe("Service Unavailable");
});

test("T14: what somebody else has put in our place is left alone", async () => {
  const tavern = await openTavern();
  const isLeft = await tavern.page.evaluate(() => {
    const { TavernHelper } = window as unknown as { TavernHelper: Record<string, unknown> };
    const ours = TavernHelper.generate as (config: object) => unknown;
    const theirs = (config: object): unknown => ours(config);
    TavernHelper.generate = theirs;
    window.tavern.close("secondwind");
    return TavernHelper.generate === theirs;
  });
  expect(isLeft).toBe(true);
  const call = await tavern.ask({}, "page");
  await tavern.settle();
  expect(await tavern.outcome(call)).toMatchObject({ value: "a good answer" });
});

test("T14: unloaded in the middle of a wait, the caller gets the last error at once", async () => {
  const tavern = await openTavern();
  await tavern.always(FAULT);
  const call = await tavern.ask();
  await tavern.advance(500);
  expect(await tavern.toasts()).toEqual(["Auto-retry: Attempt 1/3..."]);
  await tavern.disableScript();
  await tavern.settle();
  expect(await tavern.outcome(call)).toMatchObject({ state: "rejected", message: "Service Unavailable", atMs: 500 });
  expect(await tavern.toasts()).toEqual([]);
  expect(await tavern.isStopShown()).toBe(false);
  await tavern.advance(60_000);
  expect(await tavern.calls()).toHaveLength(1);
});

test("T14: unloaded in the middle of an attempt, the caller is joined to the host's own promise", async () => {
  const tavern = await openTavern();
  await tavern.play({ do: "answer", text: "late", afterMs: 5000 }, { do: "fail", text: "late too", afterMs: 5000 });
  const good = await tavern.ask();
  const bad = await tavern.ask();
  await tavern.advance(1000);
  await tavern.disableScript();
  await tavern.advance(10_000);
  expect(await tavern.outcome(good)).toMatchObject({ state: "resolved", value: "late", atMs: 5000 });
  expect(await tavern.outcome(bad)).toMatchObject({ state: "rejected", message: "late too", atMs: 5000 });
});

test("T14: unloaded at the moment when a stalled attempt is being stopped, the caller still hears", async () => {
  const tavern = await openTavern({ stored: { thinkingTimeLimitMs: 10_000 } });
  await tavern.play({ do: "hang" });
  const call = await tavern.ask();
  await tavern.page.evaluate(() => {
    window.tavern.events.on("generation_stopped", () => window.tavern.close("secondwind"));
  });
  await tavern.advance(60_000);
  expect(await tavern.outcome(call)).toMatchObject({ state: "rejected", isPagesError: true, atMs: 10_000 });
  expect(await tavern.calls()).toHaveLength(1);
});

test("T14: unloaded while an answer is being checked, the caller gets the answer", async () => {
  const tavern = await openTavern({
    stored: { requiredContentEnabled: true, requiredContentIsRegex: true, requiredContentPattern: "x+" },
  });
  await tavern.page.evaluate(() => {
    // A worker that never comes up.
    (window.tavern.windowOf("secondwind") as unknown as Record<string, unknown>).Worker = class {
      terminate() {}
    };
  });
  await tavern.play({ do: "answer", text: "unchecked" });
  const call = await tavern.ask();
  await tavern.settle();
  expect((await tavern.outcome(call)).state).toBe("pending");
  await tavern.disableScript();
  await tavern.settle();
  expect(await tavern.outcome(call)).toMatchObject({ state: "resolved", value: "unchecked" });
});

test("T14: whatever breaks on our side, the original is called as if we were not there", async () => {
  const tavern = await openTavern({ isSabotaged: true });
  await tavern.page.evaluate(() => {
    const own = window.tavern.windowOf("secondwind") as unknown as { crypto: { getRandomValues: unknown } };
    own.crypto.getRandomValues = () => {
      throw new Error("sabotage");
    };
  });
  const call = await tavern.ask({ user_input: "hi" });
  await tavern.settle();
  expect(await tavern.outcome(call)).toMatchObject({ state: "resolved" });
  expect(await tavern.calls()).toHaveLength(1);
});

test("T14: a broken toast, panel or button costs itself, not the retries", async () => {
  const tavern = await openTavern({ isSabotaged: true, isScriptOff: true });
  await tavern.page.evaluate(async () => {
    const { tavern } = window;
    const broken = (): never => {
      throw new Error("sabotage");
    };
    const predefine = tavern.predefine.bind(tavern);
    tavern.predefine = (frame) => {
      predefine(frame);
      Object.assign(frame, {
        toastr: { info: broken, success: broken, error: broken },
        SillyTavern: { deactivateSendButtons: broken, activateSendButtons: broken, getCurrentLocale: broken },
        getVariables: broken,
        getButtonEvent: broken,
        getScriptId: broken,
      });
    };
    await tavern.openScript("secondwind", await (await fetch("/script.txt")).text(), "ours");
  });
  await tavern.play(FAULT, FAULT);
  const call = await tavern.ask();
  await tavern.advance(60_000);
  expect(await tavern.outcome(call)).toMatchObject({ state: "resolved", atMs: 2500 });
  await tavern.disableScript();
  expect(
    await tavern.page.evaluate(
      () => (window as unknown as { TavernHelper: object }).TavernHelper as Record<string, unknown>,
    ),
  ).toBeDefined();
});

test("T14: a call that makes no sense goes to the host as it is", async () => {
  const tavern = await openTavern();
  const seen = await tavern.page.evaluate(async () => {
    const { generate } = window.tavern.windowOf("other") as unknown as { generate(config?: unknown): Promise<unknown> };
    const say = (error: unknown) => String(error).replace(/:.*/, "");
    return [await generate().catch(say), await generate(7).catch(say), await generate("x").catch(say)];
  });
  // The host would write its id into it. That is the host's to say, not ours.
  expect(seen).toEqual(["TypeError", "TypeError", "TypeError"]);
});

test("T14: what callers get is a promise of the page, as the host's own is, and outlives our frame", async () => {
  const tavern = await openTavern();
  await tavern.play(FAULT);
  const isPages = await tavern.page.evaluate(() => {
    const own = window.tavern.windowOf("other") as unknown as { generate(config: object): Promise<unknown> };
    const answer = own.generate({});
    answer.catch(() => undefined);
    return answer instanceof Promise;
  });
  expect(isPages).toBe(true);
});

test("T14: does not write into the caller's object", async () => {
  const tavern = await openTavern();
  const config = await tavern.page.evaluate(async () => {
    const given = Object.freeze({ user_input: "hi" });
    await (window.tavern.windowOf("other") as unknown as { generate(c: object): Promise<unknown> }).generate(given);
    return given;
  });
  expect(config).toEqual({ user_input: "hi" });
});

test("T8: ids on the blacklist, or not on the whitelist, are passed to the host untouched", async () => {
  const cases = [
    [
      { filterMode: "blacklist", filterGenerationIds: ["a"] },
      { a: false, b: true, "": true },
    ],
    [
      { filterMode: "blacklist", filterGenerationIds: ["", "a"] },
      { a: false, b: true, "": false },
    ],
    [
      { filterMode: "whitelist", filterGenerationIds: ["a"] },
      { a: true, b: false, "": false },
    ],
    [
      { filterMode: "whitelist", filterGenerationIds: ["", "a"] },
      { a: true, b: false, "": true },
    ],
    [
      { filterMode: "whitelist", filterGenerationIds: [], filterEnabled: false },
      { a: true, b: true, "": true },
    ],
  ] as const;
  for (const [settings, expected] of cases) {
    const tavern = await openTavern({ stored: { filterEnabled: true, maxRetries: 1, ...settings } });
    for (const [id, isCarried] of Object.entries(expected)) {
      await tavern.play(FAULT);
      const call = await tavern.ask(id === "" ? {} : { generation_id: id });
      await tavern.advance(5000);
      expect((await tavern.outcome(call)).state, `${JSON.stringify(settings)} ${id}`).toBe(
        isCarried ? "resolved" : "rejected",
      );
      if (!isCarried) await tavern.always(undefined);
    }
  }
});

test("T8: a call without an id gets a fresh UUID, the same for all its attempts", async () => {
  const tavern = await openTavern();
  await tavern.play(FAULT);
  await tavern.ask();
  await tavern.advance(1000);
  await tavern.ask();
  await tavern.settle();
  const ids = (await tavern.calls()).map(({ id }) => id);
  expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(ids[1]).toBe(ids[0]);
  expect(ids[2]).not.toBe(ids[0]);
});

test("T13: switched off from the start, calls go to the host untouched", async () => {
  const tavern = await openTavern({ stored: { enabled: false } });
  await tavern.play(FAULT);
  const call = await tavern.ask();
  await tavern.advance(5000);
  expect(await tavern.outcome(call)).toMatchObject({ state: "rejected", atMs: 0 });
});
