import pc from "picocolors";
import { describe, expect, test } from "vitest";
import { countdownLine } from "../../../src/hosts/demo/countdown-line.ts";
import { play, type Stage } from "../../../src/hosts/demo/demo.ts";
import { type KeyInput, keyOf } from "../../../src/hosts/demo/read-keys.ts";

interface FakeStage extends Stage {
  readonly written: () => string;
  readonly rawModes: boolean[];
  press(keys: string): void;
}

/** A live terminal with keys, in memory. `onWrite` gets everything written so far. */
function fakeStage(onWrite: (written: string, stage: FakeStage) => void): FakeStage {
  let written = "";
  const rawModes: boolean[] = [];
  const listeners = new Set<(chunk: Buffer) => void>();
  const keys: KeyInput = {
    isTTY: true,
    setRawMode: (isRaw) => void rawModes.push(isRaw),
    on: (_, listener) => void listeners.add(listener),
    off: (_, listener) => void listeners.delete(listener),
    resume: () => undefined,
    pause: () => undefined,
  };
  const stage: FakeStage = {
    keys,
    rawModes,
    onInterrupt: () => () => undefined,
    written: () => written,
    press: (text) => {
      for (const listener of listeners) listener(Buffer.from(text));
    },
    terminal: {
      columns: 80,
      isLive: true,
      colours: pc.createColors(false),
      write(text) {
        written += text;
        onWrite(written, stage);
      },
    },
  };
  return stage;
}

describe("B8: the demo in a terminal", () => {
  test("B8: q gives up at once and restores cursor and raw mode", async () => {
    let hasPressed = false;
    const stage = fakeStage((written, self) => {
      if (hasPressed || !written.includes("Enter: now")) return;
      hasPressed = true;
      setImmediate(() => self.press("q"));
    });
    expect(await play({}, stage)).toBe(130);
    expect(stage.rawModes).toEqual([true, false]);
    expect(stage.written()).toContain("you gave up");
    expect(stage.written().lastIndexOf("\u001b[?25h")).toBeGreaterThan(stage.written().lastIndexOf("\u001b[?25l"));
  });

  test("B8: Enter ends the wait early and the answer still comes", async () => {
    let pressed = 0;
    const stage = fakeStage((written, self) => {
      const waits = written.split("Waits ").length - 1;
      if (waits <= pressed || !written.endsWith("Enter: now")) return;
      pressed = waits;
      setImmediate(() => self.press("\r"));
    });
    expect(await play({ fast: true }, stage)).toBe(0);
    expect(pressed).toBeGreaterThan(1);
    expect(stage.written()).toContain("Retries now, as you asked");
    expect(stage.written()).toContain("complete: the whole answer");
  });
});

describe("B8: the countdown", () => {
  test("B8: empties a bar and never fills the line", () => {
    const at = (leftMs: number, columns = 76): string => countdownLine(leftMs, 4000, columns, "Enter: now");
    expect(at(4000)).toBe(`${"━".repeat(24)}  4.0 s  Enter: now`);
    expect(at(1000)).toBe(`${"━".repeat(6)}${"╌".repeat(18)}  1.0 s  Enter: now`);
    expect(at(-50)).toBe(`${"╌".repeat(24)}  0.0 s  Enter: now`);
    for (const columns of [16, 20, 25, 36]) expect(at(2000, columns).length).toBeLessThan(columns);
  });

  test.each([
    ["\r", "retry-now"],
    ["\n", "retry-now"],
    ["q", "give-up"],
    ["Q", "give-up"],
    ["\u0003", "give-up"],
    ["\u0004", "give-up"],
    ["\u001b[A", undefined],
    ["\u001b", undefined],
    ["x", undefined],
  ])("B8: the key %j means %s", (chunk, wanted) => {
    expect(keyOf(chunk)).toBe(wanted);
  });
});
