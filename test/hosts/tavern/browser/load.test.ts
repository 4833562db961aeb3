import { expect, test } from "vitest";
import { openTavern, useTavern } from "../support/open-tavern.ts";

useTavern();

test("T13, T14: 200 generations, 20 at a time, half failing once, all end and leave nothing behind", async () => {
  const tavern = await openTavern();
  await tavern.page.evaluate(() => {
    const failed = new Set<string>();
    window.tavern.planned.plan = ({ id }) => {
      if (Number(id) % 2 === 1 && !failed.has(id)) {
        failed.add(id);
        return { do: "fail", text: "Service Unavailable", afterMs: 10 };
      }
      return { do: "answer", text: `answer ${id}`, afterMs: 10 };
    };
  });
  const count = () =>
    tavern.page.evaluate(() => ({
      listeners: window.tavern.events.count(),
      timers: window.tavern.clock.pending(window.tavern.windowOf("secondwind")),
      running: window.tavern.running().length,
      // The host's own toasts fade; ours are sticky.
      toasts: window.tavern.toasts().filter((text) => !text.includes("succeeded")).length,
      status: document.querySelector(".secondwind-status")?.textContent?.trim(),
      isStopShown: window.tavern.isStopShown(),
    }));
  const before = await count();
  const outcomes = await tavern.page.evaluate(async () => {
    const { tavern } = window;
    let most = 0;
    for (let next = 0; next < 200; ) {
      const open = tavern.outcomes.filter(({ state }) => state === "pending").length;
      for (let room = 20 - open; room > 0 && next < 200; room--) tavern.ask("other", { generation_id: String(next++) });
      most = Math.max(most, tavern.outcomes.filter(({ state }) => state === "pending").length);
      await tavern.clock.advance(100);
    }
    await tavern.clock.advance(5000);
    return { most, values: tavern.outcomes.map((outcome) => (outcome.state === "resolved" ? outcome.value : outcome)) };
  });
  expect(outcomes.most).toBe(20);
  expect(outcomes.values).toEqual(Array.from({ length: 200 }, (_, index) => `answer ${index}`));
  expect(await tavern.calls()).toHaveLength(300);
  expect(await count()).toEqual(before);
  // Every id is free again.
  await tavern.play({ do: "fail", text: "Service Unavailable" });
  await tavern.page.evaluate(() => {
    delete window.tavern.planned.plan;
  });
  const again = await tavern.ask({ generation_id: "7" });
  await tavern.advance(5000);
  expect(await tavern.outcome(again)).toMatchObject({ state: "resolved" });
  expect(await tavern.calls()).toHaveLength(302);
  expect(before).toMatchObject({ timers: 0, running: 0, toasts: 0, isStopShown: false });
});

test("T14: unloading with 40 running generations settles every caller and restores every original", async () => {
  const tavern = await openTavern();
  await tavern.page.evaluate(() => {
    window.tavern.planned.plan = ({ id }) =>
      Number(id) % 2 === 1 ? { do: "fail", text: "Service Unavailable" } : { do: "answer", afterMs: 3000 };
    for (let id = 0; id < 40; id++) window.tavern.ask("other", { generation_id: String(id) });
  });
  await tavern.advance(700);
  const isBack = await tavern.page.evaluate(() => {
    window.tavern.close("secondwind");
    const own = window.tavern.windowOf("other") as unknown as Record<string, unknown>;
    return Object.entries(window.tavern.originals).every(([name, original]) => own[name] === original);
  });
  expect(isBack).toBe(true);
  await tavern.advance(5000);
  const states = await tavern.page.evaluate(() => window.tavern.outcomes.map(({ state }) => state));
  expect(states).toEqual(Array.from({ length: 40 }, (_, id) => (id % 2 === 1 ? "rejected" : "resolved")));
  expect(await tavern.toasts()).toEqual([]);
});

test("E20: a call that succeeds at once costs well under a millisecond", async ({ annotate }) => {
  const tavern = await openTavern({ clock: "real" });
  /** Added time of a call: original and wrapped in turns, the median of the rounds. */
  const measure = () =>
    tavern.page.evaluate(async () => {
      const own = window.tavern.windowOf("other") as unknown as { generate(config: object): Promise<unknown> };
      const time = async (generate: (config: never) => Promise<unknown>): Promise<number> => {
        const calls = 100;
        window.tavern.calls.length = 0;
        const startMs = performance.now();
        for (let call = 0; call < calls; call++) await generate({} as never);
        return (performance.now() - startMs) / calls;
      };
      const added: number[] = [];
      for (let round = 0; round < 15; round++) {
        const plainMs = await time(window.tavern.originals.generate);
        added.push((await time(own.generate)) - plainMs);
      }
      return added.sort((a, b) => a - b)[7] as number;
    });
  const closedMs = await measure();
  await tavern.page.evaluate(() => document.querySelector<HTMLElement>(".secondwind .inline-drawer-toggle")?.click());
  const openMs = await measure();
  const [closed, open] = [closedMs, openMs].map((ms) => Math.round(ms * 1000));
  await annotate(`added to one call, µs: ${closed}, with the panel open ${open}`);
  // Generous, for a machine under load.
  expect(Math.max(closedMs, openMs)).toBeLessThan(1);
});
