import { expect, test } from "vitest";
import { stream } from "../page/steps.ts";
import { openTavern, useTavern } from "../support/open-tavern.ts";

useTavern();

const FAULT = { do: "fail", text: "Service Unavailable" } as const;

test("T15: covers the page and frames that load before, with and after the script", async () => {
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
  // Also through the frame's own TavernHelper, which is a copy too.
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

test("T15: covers a frame that copied the originals from elsewhere, once it has loaded", async () => {
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

test("T15: a frame with bound copies is carried once and gets its own copies back", async () => {
  const bind = `for (const name of ["generate", "generateRaw", "stopGenerationById", "stopAllGeneration"])
    window[name] = window.TavernHelper[name] = parent.TavernHelper[name].bind(window);
    window.own = window.generate;`;
  const tavern = await openTavern({ isScriptOff: true });
  await tavern.page.evaluate((code) => window.tavern.openMessage("before", code).then(() => undefined), bind);
  await tavern.enableScript();
  await tavern.page.evaluate((code) => window.tavern.openMessage("after", code).then(() => undefined), bind);
  for (const from of ["before", "after"]) {
    await tavern.play(FAULT);
    const call = await tavern.ask({ generation_id: from }, from);
    await tavern.advance(1000);
    expect(await tavern.outcome(call), from).toMatchObject({ state: "resolved" });
  }
  expect(await tavern.calls()).toHaveLength(4);
  await tavern.disableScript();
  const isOwn = await tavern.page.evaluate(() =>
    ["before", "after"].map((name) => {
      const frame = window.tavern.windowOf(name);
      return frame.generate === frame.own;
    }),
  );
  expect(isOwn).toEqual([true, true]);
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
  // The first copy unloads, and the second takes over.
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

test("T14: unloading restores the exact originals everywhere and leaves nothing in the page", async () => {
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
        emitter: ["emit", "emitAndWait"].map((name) => Object.hasOwn(events, name)),
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
  // Methods of the emitter's class: nothing stays on the object itself.
  expect([before.emitter, between.emitter]).toEqual([
    [false, false],
    [true, true],
  ]);
});

test("T14: unloading leaves another script's replacement of the emitter in place, which still emits", async () => {
  const tavern = await openTavern();
  const seen = await tavern.page.evaluate(async () => {
    const { events } = window.tavern;
    const ours = events.emit;
    const theirs: typeof events.emit = function (this: typeof events, ...args) {
      return ours.apply(this, args);
    };
    events.emit = theirs;
    window.tavern.close("secondwind");
    const got: unknown[] = [];
    events.on("generation_stopped", (id) => void got.push(id));
    await events.emit("generation_stopped", "x");
    return { isLeft: events.emit === theirs, got };
  });
  expect(seen).toEqual({ isLeft: true, got: ["x"] });
});

test("T4: hears each event once after it was disabled and enabled again below another script's emitter", async () => {
  const tavern = await openTavern({ stored: { streamingTimeoutMs: 5000 } });
  await tavern.page.evaluate(async () => {
    const { events } = window.tavern;
    const ours = events.emit;
    events.emit = function (this: typeof events, ...args) {
      return ours.apply(this, args);
    };
    await events.emit("ours_Toggle Auto-Retry");
    await events.emit("ours_Toggle Auto-Retry");
  });
  await tavern.play(stream("cut", [1000, "x"]));
  const call = await tavern.ask({ should_stream: true });
  // Heard twice, the echo of our own stop would pass for a stop by the user.
  await tavern.advance(6000);
  expect(await tavern.outcome(call)).toMatchObject({ state: "resolved", atMs: 6000 });
});

test("T13, T14: while disabled, the host's own functions are in place", async () => {
  const tavern = await openTavern({ stored: { enabled: false } });
  const look = () =>
    tavern.page.evaluate(() => {
      const { originals, windowOf, events } = window.tavern;
      const places = [window, windowOf("other")].map((own) => own as unknown as { TavernHelper: object });
      const isOriginal = [...places.map(({ TavernHelper }) => TavernHelper), places[1] as object].every((place) =>
        Object.entries(originals).every(([name, original]) => Reflect.get(place, name) === original),
      );
      return [isOriginal, !Object.hasOwn(events, "emit")];
    });
  const toggle = () => tavern.page.evaluate(() => window.tavern.events.emit("ours_Toggle Auto-Retry"));
  expect(await look()).toEqual([true, true]);
  await toggle();
  expect(await look()).toEqual([false, false]);
  await tavern.play({ do: "fail", text: "Service Unavailable" }, { do: "answer", afterMs: 1000 });
  const call = await tavern.ask();
  await tavern.advance(1500);
  await toggle();
  // The attempt still needs the events of the host.
  expect(await look()).toEqual([true, false]);
  await tavern.advance(1000);
  expect(await tavern.outcome(call)).toMatchObject({ state: "resolved", atMs: 2000 });
  expect(await look()).toEqual([true, true]);
});

test("T15: a second copy takes over when the first is disabled", async () => {
  const tavern = await openTavern();
  await tavern.page.evaluate(async () => {
    await window.tavern.openScript("second", await (await fetch("/script.txt")).text(), "second");
    await window.tavern.events.emit("ours_Toggle Auto-Retry");
  });
  await tavern.play(FAULT);
  const call = await tavern.ask();
  await tavern.advance(1000);
  expect(await tavern.outcome(call)).toMatchObject({ state: "resolved", atMs: 1000 });
});

test("T14: after unloading, copied wrappers are replaced and held ones call the original", async () => {
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

test("T14: unloading leaves another script's replacement in place", async () => {
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

test("T14: unloading during a wait rejects with the last error at once", async () => {
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

test("T14: unloading during an attempt joins the caller to the host's own promise", async () => {
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

test("T14: unloading while a stalled attempt is being stopped still settles the caller's promise", async () => {
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

test("T14: unloading while an answer is being checked resolves with the answer", async () => {
  const tavern = await openTavern({
    stored: { requiredContentEnabled: true, requiredContentIsRegex: true, requiredContentPattern: "x+" },
  });
  await tavern.page.evaluate(() => {
    // A worker that never starts.
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

test("T14: calls the original if the script fails", async () => {
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

test("T14: retries still work if a toast, the panel or the button fails", async () => {
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

test("T14: unloading restores the originals and removes the panel even if a step fails", async () => {
  const tavern = await openTavern({ isSabotaged: true });
  await tavern.play(FAULT);
  const call = await tavern.ask();
  await tavern.advance(500);
  const left = await tavern.page.evaluate(() => {
    const frame = window.tavern.windowOf("secondwind") as unknown as { SillyTavern: Record<string, unknown> };
    const page = window as unknown as { TavernHelper: { generate: unknown } };
    frame.SillyTavern.activateSendButtons = () => {
      throw new Error("sabotage");
    };
    window.tavern.close("secondwind");
    return {
      isBack: page.TavernHelper.generate === window.tavern.originals.generate,
      elements: document.querySelectorAll('[script_id="ours"]').length,
    };
  });
  expect(left).toEqual({ isBack: true, elements: 0 });
  await tavern.settle();
  expect(await tavern.outcome(call)).toMatchObject({ message: "Service Unavailable", atMs: 500 });
});

test("T14: passes an invalid call to the host unchanged", async () => {
  const tavern = await openTavern();
  const seen = await tavern.page.evaluate(async () => {
    const { generate } = window.tavern.windowOf("other") as unknown as { generate(config?: unknown): Promise<unknown> };
    const say = (error: unknown) => String(error).replace(/:.*/, "");
    return [await generate().catch(say), await generate(7).catch(say), await generate("x").catch(say)];
  });
  // The host would write its id into it, but we must not.
  expect(seen).toEqual(["TypeError", "TypeError", "TypeError"]);
});

test("T14: callers get a promise of the page's realm, which outlives our frame", async () => {
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

test("T14: does not change the caller's object", async () => {
  const tavern = await openTavern();
  const config = await tavern.page.evaluate(async () => {
    const given = Object.freeze({ user_input: "hi" });
    await (window.tavern.windowOf("other") as unknown as { generate(c: object): Promise<unknown> }).generate(given);
    return given;
  });
  expect(config).toEqual({ user_input: "hi" });
});

test("T8: passes ids on the blacklist, or not on the whitelist, to the host unchanged", async () => {
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

test("T8: a call without an id gets one new UUID for all its attempts", async () => {
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

test("T13: passes calls to the host unchanged while disabled", async () => {
  const tavern = await openTavern({ stored: { enabled: false } });
  await tavern.play(FAULT);
  const call = await tavern.ask();
  await tavern.advance(5000);
  expect(await tavern.outcome(call)).toMatchObject({ state: "rejected", atMs: 0 });
});
