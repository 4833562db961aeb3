import { expect, test } from "vitest";
import { openTavern, useTavern } from "../support/open-tavern.ts";

useTavern();

const FAULT = { do: "fail", text: "Service Unavailable" } as const;

test("T13: the Stop button stays while a generation waits, and ends it in the middle of the wait", async () => {
  const tavern = await openTavern();
  await tavern.always(FAULT);
  const call = await tavern.ask();
  await tavern.advance(500);
  expect(await tavern.isStopShown()).toBe(true);
  await tavern.pressStop();
  expect(await tavern.outcome(call)).toMatchObject({ state: "rejected", message: "点击停止按钮", atMs: 500 });
  expect(await tavern.isStopShown()).toBe(false);
  // The wait would have gone on until 1000.
  await tavern.advance(200);
  expect(await tavern.page.evaluate(() => window.tavern.clock.pending(window.tavern.windowOf("secondwind")))).toBe(0);
  await tavern.advance(60_000);
  expect(await tavern.calls()).toHaveLength(1);
  expect(await tavern.toasts()).toEqual([]);
});

test("T13: the Stop button comes back when something else in the host has hidden it", async () => {
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

test("T13: after a retry the button is the host's own: a main generation keeps it", async () => {
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

test("T13: the Stop button stays hidden for a silent generation, and does not mean it", async () => {
  const tavern = await openTavern();
  await tavern.play(FAULT);
  const call = await tavern.ask({ should_silence: true });
  await tavern.advance(500);
  expect(await tavern.isStopShown()).toBe(false);
  await tavern.pressStop();
  await tavern.advance(500);
  expect(await tavern.outcome(call)).toMatchObject({ state: "resolved" });
});

test("T13, T13b: a stop during an attempt ends all retries, with the host's own word", async () => {
  const tavern = await openTavern();
  await tavern.play(FAULT, { do: "hang" });
  const call = await tavern.ask({ should_stream: true });
  await tavern.advance(2000);
  await tavern.pressStop();
  await tavern.advance(200_000);
  expect(await tavern.outcome(call)).toMatchObject({ message: "点击停止按钮", isPagesError: false, atMs: 2000 });
  expect(await tavern.calls()).toHaveLength(2);
});

test("T13: a script's stop by id ends a wait, answers true, and leaves others alone", async () => {
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

test("T13: a script's stop by id ends a running attempt and what would have come after", async () => {
  const tavern = await openTavern();
  await tavern.play({ do: "hang" });
  const call = await tavern.ask({ generation_id: "x" });
  await tavern.advance(500);
  expect(await tavern.stop("x")).toBe(true);
  await tavern.advance(200_000);
  expect(await tavern.outcome(call)).toMatchObject({ message: "Generate method error: 生成 ID 'x' 已停止" });
  expect(await tavern.calls()).toHaveLength(1);
});

test("T13: stopping everything ends every wait and every attempt, silent ones too", async () => {
  const tavern = await openTavern();
  await tavern.play(FAULT, FAULT, { do: "hang" });
  const calls = [await tavern.ask(), await tavern.ask({ should_silence: true }), await tavern.ask()];
  await tavern.advance(500);
  await tavern.page.evaluate(() => (window.tavern.windowOf("other").stopAllGeneration as () => boolean)());
  await tavern.advance(200_000);
  for (const call of calls) expect(await tavern.outcome(call)).toMatchObject({ state: "rejected", atMs: 500 });
  expect(await tavern.calls()).toHaveLength(3);
});

test("T13: our own stop is not taken for the user's, even when the host tells of it late", async () => {
  const tavern = await openTavern({ stored: { thinkingTimeLimitMs: 10_000 } });
  // Listeners before ours that take their time: the echo reaches us when the next attempt runs already.
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

test("T13: switching off ends a wait at once with the last error", async () => {
  const tavern = await openTavern();
  await tavern.play(FAULT);
  const call = await tavern.ask();
  await tavern.advance(500);
  await tavern.page.evaluate(() => window.tavern.events.emit("ours_Toggle Auto-Retry"));
  await tavern.settle();
  expect(await tavern.outcome(call)).toMatchObject({ message: "Service Unavailable", atMs: 500 });
});

test("T13: switching off during a retry lets the attempt finish, and then it stops", async () => {
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

test("T13: switched off while an answer is on its way, it is judged no longer", async () => {
  const tavern = await openTavern({ stored: { requiredContentEnabled: true, requiredContentPattern: "never" } });
  await tavern.play({ do: "answer", text: "as it is", afterMs: 1000 });
  const call = await tavern.ask();
  await tavern.advance(500);
  await tavern.page.evaluate(() => window.tavern.events.emit("ours_Toggle Auto-Retry"));
  await tavern.advance(1000);
  expect(await tavern.outcome(call)).toMatchObject({ value: "as it is", atMs: 1000 });
});

test("T13b: an id that is in use is refused at once, by the host while it runs and by us while it waits", async () => {
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

test("T13b: an id that somebody else uses is not retried", async () => {
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

test("T13: a stop that comes before the host has begun is said again once it has", async () => {
  const tavern = await openTavern();
  await tavern.play({ do: "hang" });
  const running = await tavern.page.evaluate(async () => {
    const { tavern } = window;
    const { events } = tavern;
    // The host is busy before it begins: nothing can be stopped under this id until then.
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
  // It did begin, and was stopped then.
  expect(await tavern.calls()).toHaveLength(1);
  expect(running).toEqual([]);
});
