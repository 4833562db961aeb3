import { expect, test } from "vitest";
import type { Step } from "../page/steps.ts";
import { openTavern, useTavern } from "../support/open-tavern.ts";
import type { Tavern } from "../support/tavern.ts";

useTavern();

const stream = (then: "end" | "cut" | "broken", ...tokens: (readonly [number, string])[]): Step => ({
  do: "stream",
  tokens,
  then,
});

const stops = (tavern: Tavern): Promise<unknown[]> =>
  tavern.page.evaluate(() =>
    window.tavern.heard.filter(({ name }) => name === "generation_stopped").map(({ args }) => args),
  );

test("T4: stops and retries at 35000 ms a stream whose last token came at 5000 ms, once the old call has settled", async () => {
  const tavern = await openTavern();
  await tavern.play(stream("cut", [1000, "Once "], [5000, "upon"]), stream("end", [10, "Once upon a time"]));
  const call = await tavern.ask({ generation_id: "x", should_stream: true });
  await tavern.advance(34_999);
  expect(await tavern.calls()).toHaveLength(1);
  expect(await stops(tavern)).toEqual([]);
  await tavern.advance(1);
  expect(await tavern.startedAt()).toEqual([0, 35_000]);
  expect(await stops(tavern)).toEqual([["x"]]);
  expect(await tavern.toasts()).toEqual(["Streaming timeout. Retrying..."]);
  // Had the new run started before the old one ended, the host could not stop it.
  expect(await tavern.page.evaluate(() => window.tavern.running())).toEqual(["x"]);
  await tavern.advance(10);
  expect(await tavern.outcome(call)).toMatchObject({ state: "resolved", value: "Once upon a time", atMs: 35_010 });
});

test("T4: every stalled stream counts as a retry, and the error names the timeout", async () => {
  const tavern = await openTavern({ stored: { maxRetries: 2, streamingTimeoutMs: 5000 } });
  await tavern.always(stream("cut", [100, "x"]));
  const call = await tavern.ask({ should_stream: true });
  await tavern.advance(60_000);
  expect(await tavern.startedAt()).toEqual([0, 5100, 10_200]);
  expect(await tavern.outcome(call)).toMatchObject({
    state: "rejected",
    message: "No new content for 5 s",
    isPagesError: true,
    atMs: 15_300,
  });
});

test("T5: stops and retries at once a call without a response for 120 s, streaming or not", async () => {
  const tavern = await openTavern();
  for (const should_stream of [true, false]) {
    const before = await tavern.calls();
    await tavern.play({ do: "hang" });
    const call = await tavern.ask({ should_stream });
    await tavern.advance(119_999);
    expect(await tavern.calls()).toHaveLength(before.length + 1);
    await tavern.advance(1);
    expect((await tavern.outcome(call)).state).toBe("resolved");
    expect(await tavern.calls()).toHaveLength(before.length + 2);
  }
  expect(await tavern.startedAt()).toEqual([0, 120_000, 120_000, 240_000]);
  expect(await tavern.toasts()).toEqual(Array(2).fill("Auto-retry succeeded on attempt 1"));
});

test("T5: shows a toast during the retry", async () => {
  const tavern = await openTavern({ stored: { thinkingTimeLimitMs: 10_000 } });
  await tavern.play({ do: "hang" }, { do: "hang" });
  await tavern.ask();
  await tavern.advance(10_000);
  expect(await tavern.toasts()).toEqual(["Thinking timeout. Retrying..."]);
});

test("T5: waits 5 s at most for a stopped call to settle", async () => {
  const tavern = await openTavern({ stored: { thinkingTimeLimitMs: 10_000 } });
  await tavern.play({ do: "hang", isDeaf: true });
  const call = await tavern.ask();
  await tavern.advance(60_000);
  expect(await tavern.startedAt()).toEqual([0, 15_000]);
  expect(await tavern.outcome(call)).toMatchObject({ state: "resolved", atMs: 15_000 });
});

test("T4, T5: reasoning keeps an attempt alive", async () => {
  const tavern = await openTavern();
  // The longest gap exceeds the streaming limit, but no content has come yet.
  const thinking: [number, string][] = [0, 40, 100, 200, 300].map((seconds) => [seconds * 1000 + 1, ""]);
  await tavern.play(stream("end", ...thinking, [310_000, "answer"]));
  const call = await tavern.ask({ should_stream: true });
  await tavern.advance(400_000);
  expect(await tavern.calls()).toHaveLength(1);
  expect(await tavern.outcome(call)).toMatchObject({ value: "answer", atMs: 310_000 });
});

test("T5: the host's separate reasoning events keep an attempt alive too", async () => {
  const tavern = await openTavern({ stored: { thinkingTimeLimitMs: 10_000, streamingTimeoutMs: 5000 } });
  await tavern.play({ do: "hang" });
  await tavern.ask({ generation_id: "x", should_stream: true });
  await tavern.advance(9000);
  await tavern.page.evaluate(() => window.tavern.events.emit("js_reasoning_token_received_fully", "Hmm", "x"));
  await tavern.advance(9999);
  expect(await tavern.calls()).toHaveLength(1);
  await tavern.advance(1);
  expect(await tavern.startedAt()).toEqual([0, 19_000]);
});

test("T5: the thinking limit restarts after the last reasoning", async () => {
  const tavern = await openTavern();
  await tavern.play(stream("cut", [50_000, ""]));
  await tavern.ask({ should_stream: true });
  await tavern.advance(200_000);
  expect(await tavern.startedAt()).toEqual([0, 170_000]);
});

test("T4: reasoning after content keeps a stream alive too", async () => {
  const tavern = await openTavern({ stored: { streamingTimeoutMs: 5000 } });
  await tavern.play(stream("end", [1000, "a"], [5500, ""], [10_000, ""], [14_500, "b"]));
  const call = await tavern.ask({ should_stream: true });
  await tavern.advance(20_000);
  expect(await tavern.outcome(call)).toMatchObject({ value: "ab", atMs: 14_500 });
});

test("T9: listeners get streaming events under the caller's id in every attempt", async () => {
  const tavern = await openTavern();
  await tavern.play(stream("cut", [1000, "one"]), stream("end", [1000, "two"]));
  await tavern.ask({ generation_id: "mine", should_stream: true }, "other", "generateRaw");
  await tavern.advance(60_000);
  const heard = await tavern.page.evaluate(() =>
    window.tavern.heard.filter(({ name }) => name.startsWith("js_")).map(({ name, args }) => [name, ...args]),
  );
  expect(heard).toEqual([
    ["js_stream_token_received_fully", "one", "mine"],
    ["js_stream_token_received_fully", "two", "mine"],
    ["js_generation_ended", "two", "mine"],
  ]);
  expect((await tavern.calls()).map(({ name }) => name)).toEqual(["generateRaw", "generateRaw"]);
});

test("T9: returns the partial text after an error in mid-stream, unless content is required", async () => {
  const tavern = await openTavern();
  await tavern.play(stream("broken", [10, "half an ans"]));
  const call = await tavern.ask({ should_stream: true });
  await tavern.advance(1000);
  expect(await tavern.outcome(call)).toMatchObject({ value: "half an ans" });

  const strict = await openTavern({ stored: { requiredContentEnabled: true, requiredContentPattern: "</end>" } });
  await strict.play(stream("broken", [10, "half an ans"]), stream("end", [10, "all of it </end>"]));
  const carried = await strict.ask({ should_stream: true });
  await strict.advance(5000);
  expect(await strict.outcome(carried)).toMatchObject({ value: "all of it </end>" });
});

test("T4: does not mistake a sleeping page for a stalled stream", async () => {
  const tavern = await openTavern({ stored: { streamingTimeoutMs: 5000 } });
  await tavern.play(stream("cut", [1000, "x"]));
  await tavern.ask({ generation_id: "x", should_stream: true });
  await tavern.advance(1000);
  // The clock jumps; the late timer fires before the queued tokens are handled.
  await tavern.page.evaluate(async () => {
    const { clock, events } = window.tavern;
    Object.assign(clock, { nowMs: clock.now() + 60_000 });
    await clock.advance(0);
    await events.emit("js_stream_token_received_fully", "xy", "x");
  });
  await tavern.advance(4999);
  expect(await tavern.calls()).toHaveLength(1);
  await tavern.advance(1);
  expect(await tavern.calls()).toHaveLength(2);
});
