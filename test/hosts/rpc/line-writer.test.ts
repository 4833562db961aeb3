import { EventEmitter } from "node:events";
import { describe, expect, test } from "vitest";
import { LineWriter } from "../../../src/hosts/rpc/line-writer.ts";
import type { SessionEvent } from "../../../src/wire/index.ts";

/** An output that takes this many lines at a time. */
class SlowOutput extends EventEmitter {
  readonly lines: SessionEvent[] = [];
  room = 1;

  write(chunk: string): boolean {
    this.lines.push(JSON.parse(chunk) as SessionEvent);
    return --this.room > 0;
  }

  take(room: number): void {
    this.room = room;
    this.emit("drain");
  }
}

const asItIs = <T>(value: T): T => value;

const delta = (text: string, messageId = "m"): SessionEvent => ({
  type: "message_delta",
  messageId,
  kind: "text",
  delta: text,
});

describe("writing lines", () => {
  test("S9: holds lines while the output is full, joins deltas of one message and keeps the order", async () => {
    const output = new SlowOutput();
    const writer = new LineWriter(output, asItIs);
    writer.write({ type: "agent_start" });
    for (const letter of "abc") writer.write(delta(letter));
    writer.write(delta("x", "other"));
    writer.write(delta("d"));
    writer.write({ type: "agent_end", status: "done" });
    expect(output.lines).toEqual([{ type: "agent_start" }]);
    let isReady = false;
    const ready = writer.ready().then(() => {
      isReady = true;
    });
    output.take(2);
    await Promise.resolve();
    expect(isReady).toBe(false);
    expect(output.lines.slice(1)).toEqual([delta("abc"), delta("x", "other")]);
    output.take(10);
    await ready;
    expect(output.lines.slice(3)).toEqual([delta("d"), { type: "agent_end", status: "done" }]);
    await writer.ready();
  });

  test("S9: ready() resolves when the reader closes the pipe", async () => {
    const output = new SlowOutput();
    const writer = new LineWriter(output, asItIs);
    writer.write({ type: "agent_start" });
    writer.write(delta("a"));
    const ready = writer.ready();
    output.emit("close");
    await ready;
    writer.write(delta("b"));
    expect(output.lines).toHaveLength(1);
  });
});
