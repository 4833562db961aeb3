import { expect, test } from "vitest";
import { stream } from "../page/steps.ts";
import { openTavern, useTavern } from "../support/open-tavern.ts";
import type { Tavern } from "../support/tavern.ts";

useTavern();

const stops = (tavern: Tavern): Promise<unknown[]> =>
  tavern.page.evaluate(() =>
    window.tavern.events.emitted.filter(({ name }) => name === "generation_stopped").map(({ args }) => args),
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

test("T5: the thinking limit runs from the start to the first text; empty tokens and reasoning don't extend it", async () => {
  const tavern = await openTavern();
  const thinking: [number, string][] = [0, 40, 100, 119].map((seconds) => [seconds * 1000 + 1, ""]);
  await tavern.play(stream("end", ...thinking, [130_000, "too late"]), stream("end", ...thinking, [119_500, "answer"]));
  const call = await tavern.ask({ generation_id: "x", should_stream: true });
  await tavern.advance(90_000);
  await tavern.page.evaluate(() => window.tavern.events.emit("js_reasoning_token_received_fully", "Hmm", "x"));
  await tavern.advance(29_999);
  expect(await tavern.calls()).toHaveLength(1);
  await tavern.advance(1);
  expect(await tavern.startedAt()).toEqual([0, 120_000]);
  expect(await tavern.toasts()).toEqual(["Thinking timeout. Retrying..."]);
  await tavern.advance(120_000);
  expect(await tavern.outcome(call)).toMatchObject({ value: "answer", atMs: 239_500 });
});

test("T5: an empty token does not start the streaming limit", async () => {
  const tavern = await openTavern({ stored: { streamingTimeoutMs: 5000 } });
  await tavern.play(stream("end", [1000, ""], [60_000, "answer"]));
  const call = await tavern.ask({ should_stream: true });
  await tavern.advance(60_000);
  expect(await tavern.outcome(call)).toMatchObject({ value: "answer", atMs: 60_000 });
});

test("T5: text that the host adds to an empty token is no content", async () => {
  const tavern = await openTavern({ stored: { thinkingTimeLimitMs: 10_000 } });
  await tavern.play({ do: "hang" });
  await tavern.ask({ generation_id: "x", should_stream: true });
  await tavern.advance(9000);
  // The host puts the user's prompt bias before every part.
  await tavern.page.evaluate(() => {
    void window.tavern.events.emit("js_stream_token_received_fully", "", "x");
    void window.tavern.events.emit("js_stream_token_received_incrementally", "Well, ", "x");
  });
  await tavern.advance(1000);
  expect(await tavern.startedAt()).toEqual([0, 10_000]);
});

test("T4: after the first text, tokens that don't lengthen the text don't count", async () => {
  const tavern = await openTavern({ stored: { streamingTimeoutMs: 5000 } });
  await tavern.play(stream("end", [1000, "a"], [3000, ""], [5500, ""], [10_000, "b"]));
  await tavern.ask({ should_stream: true });
  await tavern.advance(5999);
  expect(await tavern.calls()).toHaveLength(1);
  await tavern.advance(1);
  expect(await tavern.startedAt()).toEqual([0, 6000]);
  expect(await tavern.toasts()).toEqual(["Auto-retry succeeded on attempt 1"]);
});

test("T9: listeners get streaming events under the caller's id in every attempt", async () => {
  const tavern = await openTavern();
  await tavern.play(stream("cut", [1000, "one"]), stream("end", [1000, "two"]));
  await tavern.ask({ generation_id: "mine", should_stream: true }, "other", "generateRaw");
  await tavern.advance(60_000);
  const heard = await tavern.page.evaluate(() =>
    window.tavern.events.emitted
      .filter(({ name }) => /fully|ended/.test(name))
      .map(({ name, args }) => [name, ...args]),
  );
  expect(heard).toEqual([
    ["js_stream_token_received_fully", "one", "mine"],
    ["js_stream_token_received_fully", "two", "mine"],
    // The host repeats the whole text at the end.
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
