import { afterEach, describe, expect, test } from "vitest";
import { layoutActivity } from "../../src/hosts/chat/layout/layout-activity.ts";
import { type ChatState, reduce } from "../../src/hosts/chat/state/chat-state.ts";
import type { SessionEvent } from "../../src/wire/index.ts";
import { ChatScreen } from "../hosts/chat/chat-screen.ts";
import { freshState, hear, start } from "../hosts/chat/states.ts";
import { until } from "../support/until.ts";

const watchdog = { firstContentMs: 120_000, idleMs: 60_000 };
const still = reduce(freshState(), { type: "setup", watchdog, hasMotion: false, hasMouse: true });
const begun: SessionEvent = { type: "agent_start" };
const delta: SessionEvent = { type: "message_delta", messageId: "a1", kind: "text", delta: "Once" };

function at(state: ChatState, atMs: number): readonly string[] {
  const later = reduce(state, { type: "tick", atMs, cooling: {} });
  return layoutActivity(later, 79).map((line) => line.map(({ text }) => text).join(""));
}

describe("a prompt that runs", () => {
  test("S10: shows the elapsed time, and after 10 s without content when the attempt times out", () => {
    const state = hear(still, 1000, begun);
    expect(at(state, 1000)).toEqual(["Working… (esc to stop)"]);
    expect(at(state, 3999)).toEqual(["Working… 2 s (esc to stop)"]);
    expect(at(state, 10_999)).toEqual(["Working… 9 s (esc to stop)"]);
    expect(at(state, 11_000)).toEqual([
      "Working… 10 s (esc to stop)",
      "  No answer yet; this attempt times out in 1 min 50 s",
    ]);
    expect(at(state, 113_000)).toEqual([
      "Working… 1 min 52 s (esc to stop)",
      "  No answer yet; this attempt times out in 8 s",
    ]);
  });

  test("S10: after the first content, the shorter limit of a silent stream counts", () => {
    const state = hear(hear(still, 0, begun), 5000, delta);
    expect(at(state, 14_999)).toEqual(["Working… 14 s (esc to stop)"]);
    expect(at(state, 20_000)).toEqual([
      "Working… 20 s (esc to stop)",
      "  Nothing new for 15 s; this attempt times out in 45 s",
    ]);
  });

  test("S10: a retry starts the limit again, after its wait", () => {
    const state = hear(hear(still, 0, begun), 20_000, start(1, 4000));
    expect(at(state, 33_999)).toEqual(["Working… 33 s (esc to stop)"]);
    expect(at(state, 34_000)[1]).toBe("  No answer yet; this attempt times out in 1 min 50 s");
    const now = reduce(state, { type: "waits-ended" });
    expect(at(now, 30_000)[1]).toBe("  No answer yet; this attempt times out in 1 min 50 s");
  });

  test("S10: a tool may take any time, and the step after it has the whole limit", () => {
    const call: SessionEvent = { type: "tool_start", toolCallId: "t1", toolName: "read", arguments: {} };
    const done: SessionEvent = { type: "tool_end", toolCallId: "t1", toolName: "read", content: "x", isError: false };
    const running = hear(hear(still, 0, begun), 1000, call);
    expect(at(running, 90_000)).toEqual(["Working… 1 min 30 s (esc to stop)"]);
    expect(at(hear(running, 90_000, done), 100_000)[1]).toBe("  No answer yet; this attempt times out in 1 min 50 s");
  });

  test("S10: without a watchdog it shows the silence alone", () => {
    const unwatched = reduce(still, {
      type: "setup",
      watchdog: { firstContentMs: null, idleMs: null },
      hasMotion: false,
      hasMouse: true,
    });
    expect(at(hear(unwatched, 0, begun), 600_000)[1]).toBe("  No answer yet");
  });
});

describe("the spinner", () => {
  let screen: ChatScreen;
  afterEach(() => screen.close());

  test("S10: turns while the prompt runs, and repaints only its own line", async () => {
    screen = new ChatScreen();
    screen.world.provider("acme", [[{ type: "hang" }]]);
    await screen.open();
    await screen.say("A question that stays");
    await screen.shows("Working…");
    const before = /(\S) Working…/.exec(screen.text())?.[1];
    await new Promise((resolve) => setTimeout(resolve, 100));
    screen.bytes = "";
    await screen.pass(200);
    await until(() => /(\S) Working…/.exec(screen.text())?.[1] !== before);
    expect(screen.bytes).not.toContain("A question that stays");
  });

  test("S10: stands still with NO_MOTION", async () => {
    screen = new ChatScreen();
    screen.hasMotion = false;
    screen.world.provider("acme", [[{ type: "hang" }]]);
    await screen.open();
    await screen.say("Hello");
    await screen.shows("\nWorking… (esc to stop)");
  });
});
