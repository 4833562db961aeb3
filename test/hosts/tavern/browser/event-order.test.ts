import { expect, test } from "vitest";
import { stream } from "../page/steps.ts";
import { openTavern, useTavern } from "../support/open-tavern.ts";
import type { Tavern } from "../support/tavern.ts";

useTavern();

const EVENTS = [
  "js_generation_started",
  "js_stream_token_received_fully",
  "js_stream_token_received_incrementally",
  "js_generation_before_end",
  "js_generation_ended",
  "generation_stopped",
];

/** Adds listeners in another frame; returns how to read what they got, in the order of arrival. */
async function listenIn(tavern: Tavern, frame: string): Promise<() => Promise<string[]>> {
  await tavern.page.evaluate(
    ([from, events]) => {
      const own = window.tavern.windowOf(from) as unknown as {
        eventOn(event: string, listener: (text: unknown) => void): void;
        got: string[];
      };
      own.got = [];
      for (const event of events) {
        own.eventOn(event, (text) => {
          own.got.push(typeof text === "string" ? `${event} ${text}` : event);
        });
      }
    },
    [frame, EVENTS] as const,
  );
  return () => tavern.page.evaluate((from) => window.tavern.windowOf(from).got as string[], frame);
}

/** A stream and a plain call, heard by listeners that were added before and after the script. */
async function hear(options: Parameters<typeof openTavern>[0]): Promise<string[][]> {
  const tavern = await openTavern({ ...options, isScriptOff: true });
  const before = await listenIn(tavern, "other");
  if (options?.isScriptOff !== true) await tavern.enableScript();
  await tavern.page.evaluate(() => window.tavern.openMessage("later").then(() => undefined));
  const after = await listenIn(tavern, "later");
  await tavern.play(stream("end", [10, "one "], [20, "two"]), { do: "answer", text: "plain" }, { do: "hang" });
  await tavern.ask({ generation_id: "a", should_stream: true });
  await tavern.advance(100);
  await tavern.ask({ generation_id: "b" }, "later");
  await tavern.advance(100);
  await tavern.ask({ generation_id: "c", should_stream: true });
  await tavern.advance(100);
  await tavern.stop("c");
  await tavern.advance(100);
  return [await before(), await after()];
}

test("T14: listeners get the host's events in the same order as without the script, on or off", async () => {
  const without = await hear({ isScriptOff: true });
  expect(without[1]).toEqual([
    "js_generation_started a",
    "js_stream_token_received_fully one ",
    "js_stream_token_received_incrementally one ",
    "js_stream_token_received_fully one two",
    "js_stream_token_received_incrementally two",
    "js_stream_token_received_fully one two",
    "js_stream_token_received_incrementally ",
    "js_generation_before_end",
    "js_generation_ended one two",
    "js_generation_started b",
    "js_generation_before_end",
    "js_generation_ended plain",
    "js_generation_started c",
    "generation_stopped c",
  ]);
  expect(await hear({})).toEqual(without);
  expect(await hear({ stored: { enabled: false } })).toEqual(without);
});

test("T4: a host that does not offer its emitter is heard by listeners, which are removed on unload", async () => {
  const tavern = await openTavern({
    isScriptOff: true,
    stored: { streamingTimeoutMs: 5000, thinkingTimeLimitMs: 10_000 },
  });
  await tavern.page.evaluate(() => {
    Reflect.deleteProperty((window as unknown as { SillyTavern: object }).SillyTavern, "eventSource");
  });
  const count = () => tavern.page.evaluate(() => window.tavern.events.count());
  const before = await count();
  await tavern.enableScript();
  const tokens = Array.from({ length: 10 }, (_, index): [number, string] => [(index + 1) * 4000, `${index}`]);
  await tavern.play(stream("end", ...tokens));
  const call = await tavern.ask({ should_stream: true });
  await tavern.advance(40_000);
  expect(await tavern.outcome(call)).toMatchObject({ value: "0123456789", atMs: 40_000 });
  await tavern.disableScript();
  expect(await count()).toBe(before);
});
