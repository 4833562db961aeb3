import { expect, test } from "vitest";
import { openTavern, useTavern } from "../support/open-tavern.ts";

useTavern();

const FAULT = { do: "fail", text: "Service Unavailable" } as const;

test("T13: the Stop button stays visible during a wait and ends it", async () => {
  const tavern = await openTavern();
  await tavern.always(FAULT);
  const call = await tavern.ask();
  await tavern.advance(500);
  expect(await tavern.isStopShown()).toBe(true);
  await tavern.pressStop();
  expect(await tavern.outcome(call)).toMatchObject({ state: "rejected", message: "点击停止按钮", atMs: 500 });
  expect(await tavern.isStopShown()).toBe(false);
  // The wait would have lasted until 1000.
  await tavern.advance(200);
  expect(await tavern.page.evaluate(() => window.tavern.clock.pending(window.tavern.windowOf("secondwind")))).toBe(0);
  await tavern.advance(60_000);
  expect(await tavern.calls()).toHaveLength(1);
  expect(await tavern.toasts()).toEqual([]);
});

test("T13: the Stop button reappears if the host hides it during a wait", async () => {
  const tavern = await openTavern({ stored: { rateLimitDelayMs: 30_000 } });
  await tavern.play({ do: "fail", text: "Too Many Requests" }, { do: "answer", afterMs: 100 });
  await tavern.ask({ generation_id: "waits" });
  await tavern.advance(100);
  await tavern.ask({ generation_id: "passes" });
  await tavern.advance(100);
  expect(await tavern.isStopShown()).toBe(false);
  await tavern.advance(1000);
  expect(await tavern.isStopShown()).toBe(true);
  await tavern.advance(60_000);
  expect(await tavern.isStopShown()).toBe(false);
});

test("T13: after a retry the host controls the button, which a main generation keeps", async () => {
  const tavern = await openTavern();
  await tavern.play(FAULT, { do: "answer", afterMs: 100 });
  await tavern.page.evaluate(() => {
    const { SillyTavern } = window as unknown as { SillyTavern: { activateSendButtons(): void } };
    const activate = SillyTavern.activateSendButtons;
    const frame = window.tavern.windowOf("secondwind") as unknown as { activated: number };
    frame.activated = 0;
    SillyTavern.activateSendButtons = () => {
      frame.activated++;
      activate();
    };
  });
  await tavern.ask();
  await tavern.advance(5000);
  expect(await tavern.calls()).toHaveLength(2);
  expect(await tavern.page.evaluate(() => window.tavern.windowOf("secondwind").activated)).toBe(0);
});

test("T13: ending a wait leaves the button to a generation of the host", async () => {
  const tavern = await openTavern({ stored: { filterEnabled: true, filterGenerationIds: ["foreign"] } });
  await tavern.play({ do: "hang" }, FAULT);
  await tavern.ask({ generation_id: "foreign" });
  await tavern.ask({ generation_id: "ours" });
  await tavern.advance(500);
  await tavern.stop("ours");
  await tavern.advance(5000);
  expect(await tavern.page.evaluate(() => window.tavern.running())).toEqual(["foreign"]);
  expect(await tavern.isStopShown()).toBe(true);
});

test("T13: the Stop button stays hidden for a silent generation and does not stop it", async () => {
  const tavern = await openTavern();
  await tavern.play(FAULT);
  const call = await tavern.ask({ should_silence: true });
  await tavern.advance(500);
  expect(await tavern.isStopShown()).toBe(false);
  await tavern.pressStop();
  await tavern.advance(500);
  expect(await tavern.outcome(call)).toMatchObject({ state: "resolved" });
});

test("T13, T13b: a stop during an attempt ends all retries with the host's own error", async () => {
  const tavern = await openTavern();
  await tavern.play(FAULT, { do: "hang" });
  const call = await tavern.ask({ should_stream: true });
  await tavern.advance(2000);
  await tavern.pressStop();
  await tavern.advance(200_000);
  expect(await tavern.outcome(call)).toMatchObject({ message: "点击停止按钮", isPagesError: false, atMs: 2000 });
  expect(await tavern.calls()).toHaveLength(2);
});

test("T13: a stop by id ends that wait only and returns true", async () => {
  const tavern = await openTavern();
  await tavern.play(FAULT, FAULT);
  const one = await tavern.ask({ generation_id: "one" });
  const two = await tavern.ask({ generation_id: "two" });
  await tavern.advance(500);
  expect(await tavern.stop("one")).toBe(true);
  expect(await tavern.stop("nobody")).toBe(false);
  await tavern.advance(60_000);
  expect(await tavern.outcome(one)).toMatchObject({ message: "生成 ID 'one' 已停止", isPagesError: true, atMs: 500 });
  expect(await tavern.outcome(two)).toMatchObject({ state: "resolved", atMs: 1000 });
});

test("T13: a stop by id ends the running attempt and prevents further ones", async () => {
  const tavern = await openTavern();
  await tavern.play({ do: "hang" });
  const call = await tavern.ask({ generation_id: "x" });
  await tavern.advance(500);
  expect(await tavern.stop("x")).toBe(true);
  await tavern.advance(200_000);
  expect(await tavern.outcome(call)).toMatchObject({ message: "Generate method error: 生成 ID 'x' 已停止" });
  expect(await tavern.calls()).toHaveLength(1);
});

test("T13: stopAllGeneration ends every wait and attempt, including silent ones", async () => {
  const tavern = await openTavern();
  await tavern.play(FAULT, FAULT, { do: "hang" });
  const calls = [await tavern.ask(), await tavern.ask({ should_silence: true }), await tavern.ask()];
  await tavern.advance(500);
  await tavern.page.evaluate(() => (window.tavern.windowOf("other").stopAllGeneration as () => boolean)());
  await tavern.advance(200_000);
  for (const call of calls) expect(await tavern.outcome(call)).toMatchObject({ state: "rejected", atMs: 500 });
  expect(await tavern.calls()).toHaveLength(3);
});

test("T13: does not mistake our own stop for the user's, even if its event comes late", async () => {
  const tavern = await openTavern({ stored: { thinkingTimeLimitMs: 10_000 } });
  // A slow listener before ours: the echo reaches us when the next attempt is already running.
  await tavern.page.evaluate(() => {
    const { events, clock } = window.tavern;
    const emit = events.emit.bind(events);
    events.emit = async (name, ...args) => {
      if (name === "generation_stopped") await new Promise<void>((resolve) => clock.after(window, resolve, 50));
      await emit(name, ...args);
    };
  });
  await tavern.play({ do: "hang" }, { do: "fail", text: "Service Unavailable", afterMs: 500 });
  const call = await tavern.ask({ generation_id: "x" });
  await tavern.advance(60_000);
  // Stopped and retried at 10000, which fails at 10500 and is retried after the second delay.
  expect(await tavern.startedAt()).toEqual([0, 10_000, 12_000]);
  expect(await tavern.outcome(call)).toMatchObject({ state: "resolved" });
});

test("T13: retries are given up when the caller's frame is gone; a running attempt finishes", async () => {
  const tavern = await openTavern();
  await tavern.page.evaluate(async () => {
    const { tavern } = window;
    tavern.planned.plan = ({ id }) => ({ do: "fail", text: "Service Unavailable", afterMs: id === "runs" ? 600 : 0 });
    const ask = (id: string): string => `window.generate({ generation_id: "${id}" }).catch(() => undefined);`;
    await Promise.all([
      tavern.openMessage("gone", ask("waits") + ask("runs")),
      tavern.openMessage("stays", ask("stays")),
    ]);
  });
  await tavern.advance(500);
  await tavern.page.evaluate(() => window.tavern.close("gone"));
  await tavern.advance(60_000);
  expect((await tavern.calls()).map(({ id }) => id).sort()).toEqual(["runs", ...Array(4).fill("stays"), "waits"]);
  expect(await tavern.toasts()).toEqual(["Auto-retry failed after 3 attempts"]);
  expect(await tavern.isStopShown()).toBe(false);
});

test("T13: disabling ends a wait at once with the last error", async () => {
  const tavern = await openTavern();
  await tavern.play(FAULT);
  const call = await tavern.ask();
  await tavern.advance(500);
  await tavern.page.evaluate(() => window.tavern.events.emit("ours_Toggle Auto-Retry"));
  await tavern.settle();
  expect(await tavern.outcome(call)).toMatchObject({ message: "Service Unavailable", atMs: 500 });
});

test("T13: disabling during a retry lets the attempt finish, then stops", async () => {
  const tavern = await openTavern();
  const slow = { do: "fail", text: "Bad Gateway", afterMs: 1000 } as const;
  await tavern.play(FAULT, slow, FAULT, { do: "answer", text: "made it", afterMs: 1000 });
  const failing = await tavern.ask();
  await tavern.advance(1500);
  await tavern.page.evaluate(() => window.tavern.events.emit("ours_Toggle Auto-Retry"));
  await tavern.advance(60_000);
  expect(await tavern.outcome(failing)).toMatchObject({ message: "Bad Gateway", atMs: 2000 });

  await tavern.page.evaluate(() => window.tavern.events.emit("ours_Toggle Auto-Retry"));
  const good = await tavern.ask();
  await tavern.advance(1500);
  await tavern.page.evaluate(() => window.tavern.events.emit("ours_Toggle Auto-Retry"));
  await tavern.advance(60_000);
  expect(await tavern.outcome(good)).toMatchObject({ value: "made it" });
  expect(await tavern.calls()).toHaveLength(4);
});

test("T13: disabling during an attempt accepts its answer without the required content", async () => {
  const tavern = await openTavern({ stored: { requiredContentEnabled: true, requiredContentPattern: "never" } });
  await tavern.play({ do: "answer", text: "as it is", afterMs: 1000 });
  const call = await tavern.ask();
  await tavern.advance(500);
  await tavern.page.evaluate(() => window.tavern.events.emit("ours_Toggle Auto-Retry"));
  await tavern.advance(1000);
  expect(await tavern.outcome(call)).toMatchObject({ value: "as it is", atMs: 1000 });
});

test("T13b: rejects an id in use at once, during an attempt and during a wait", async () => {
  const tavern = await openTavern();
  await tavern.play({ do: "fail", text: "Service Unavailable", afterMs: 1000 });
  const first = await tavern.ask({ generation_id: "x" });
  await tavern.advance(500);
  const whileRunning = await tavern.ask({ generation_id: "x" });
  await tavern.settle();
  expect(await tavern.outcome(whileRunning)).toMatchObject({ state: "rejected", isPagesError: true, atMs: 500 });
  await tavern.advance(1000);
  const whileWaiting = await tavern.ask({ generation_id: "x" });
  await tavern.settle();
  for (const call of [whileRunning, whileWaiting]) {
    expect((await tavern.outcome(call)) as object).toMatchObject({
      message: expect.stringContaining("请求正在进行中"),
    });
  }
  await tavern.advance(60_000);
  expect(await tavern.outcome(first)).toMatchObject({ state: "resolved", atMs: 2000 });
  expect(await tavern.calls()).toHaveLength(2);
});

test("T13b: an id stays in use while its attempt is being stopped", async () => {
  const tavern = await openTavern({ stored: { thinkingTimeLimitMs: 10_000 } });
  await tavern.play({ do: "hang", isDeaf: true }, { do: "answer", afterMs: 10_000 });
  const first = await tavern.ask({ generation_id: "x" });
  await tavern.advance(12_000);
  const second = await tavern.ask({ generation_id: "x" });
  await tavern.advance(60_000);
  expect(await tavern.outcome(second)).toMatchObject({ state: "rejected", isPagesError: true, atMs: 12_000 });
  expect(await tavern.outcome(first)).toMatchObject({ state: "resolved", atMs: 25_000 });
});

test("T13b: does not retry an id that another call uses", async () => {
  const tavern = await openTavern({ stored: { filterEnabled: true, filterGenerationIds: ["x"] } });
  await tavern.play({ do: "hang" });
  await tavern.ask({ generation_id: "x" });
  await tavern.settle();
  await tavern.page.evaluate(() => {
    window.tavern.variables.set("ours", {});
  });
  await tavern.disableScript();
  await tavern.enableScript();
  const call = await tavern.ask({ generation_id: "x" });
  await tavern.advance(60_000);
  expect(await tavern.outcome(call)).toMatchObject({ state: "rejected", atMs: 0 });
  expect(await tavern.toasts()).toEqual([]);
});

test("T13: repeats a stop that came before the host had started", async () => {
  const tavern = await openTavern();
  await tavern.play({ do: "hang" });
  const running = await tavern.page.evaluate(async () => {
    const { tavern } = window;
    const { events } = tavern;
    // The host has not started yet: it can't stop this id until then.
    let begin = (): void => undefined;
    events.on("js_generation_requested", () => new Promise<void>((resolve) => (begin = resolve)));
    tavern.ask("other", { generation_id: "early" });
    await tavern.clock.advance(100);
    document.querySelector<HTMLButtonElement>(".secondwind-activity button:last-child")?.click();
    await tavern.settle();
    begin();
    await tavern.settle(20);
    return tavern.running();
  });
  // It started, and was then stopped.
  expect(await tavern.calls()).toHaveLength(1);
  expect(running).toEqual([]);
});
