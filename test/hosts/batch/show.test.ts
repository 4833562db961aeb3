import { describe, expect, test } from "vitest";
import { BatchScreen } from "../../../src/hosts/batch/show/batch-screen.ts";
import { type Progress, progressLines, progressText } from "../../../src/hosts/batch/show/progress-lines.ts";
import { RateMeter } from "../../../src/hosts/batch/show/rate-meter.ts";
import { sayHolding } from "../../../src/hosts/batch/show/say-holding.ts";
import type { PaceFacts } from "../../../src/kernel/index.ts";
import { openTerminal, textWidth } from "../../../src/terminal/index.ts";

const PROGRESS: Progress = {
  ...{ lines: 10_000, done: 5200, failed: 3, waiting: 7, perMinute: 598 },
  holding: "openai: rate limited, 597 a minute",
};
const FACTS: PaceFacts = {
  target: { provider: "openai", model: "m", credential: "" },
  ...{ width: 20, isNarrow: false, underWay: 5, perMinute: 40, reason: "rate" },
};

describe("the progress of a batch", () => {
  test("B6: shows a bar, what is done, waiting and failed, the rate, the time left and what holds it back", () => {
    expect(progressLines(PROGRESS, 100)).toEqual([
      "██████████░░░░░░░░░░  52 %  5,200 of 10,000  3 failed  7 waiting  598/min  8 min 1 s left",
      "openai: rate limited, 597 a minute",
    ]);
    expect(progressText(PROGRESS)).toBe(
      "5,200 of 10,000 done, 3 failed, 7 waiting, 598/min, 8 min 1 s left; openai: rate limited, 597 a minute",
    );
  });

  test("B6: fits every width, and keeps the share longest", () => {
    for (let columns = 4; columns <= 110; columns++) {
      const lines = progressLines(PROGRESS, columns);
      for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(columns);
      expect(lines[0]).toContain("52 %");
    }
    expect(progressLines(PROGRESS, 37)[0]).toBe("52 %  5,200 of 10,000  3 failed");
  });

  test("B6: the rate is that of the last minute", () => {
    const meter = new RateMeter(0);
    for (let ms = 0; ms < 120_000; ms += 100) meter.count(ms);
    expect(meter.perMinute(120_000)).toBeCloseTo(600, -1);
    expect(meter.perMinute(150_000)).toBeCloseTo(300, -2);
    expect(meter.perMinute(300_000)).toBe(0);
    expect(new RateMeter(0).perMinute(1000)).toBeUndefined();
  });

  test("B6: says what holds it back: a rate limit, few calls at a time, an outage, or nothing", () => {
    const say = (facts: Partial<PaceFacts>): string =>
      sayHolding({ facts: [{ ...FACTS, ...facts }], wait: undefined, isStalled: false });
    expect(say({})).toBe("openai: rate limited, 40 a minute");
    expect(say({ perMinute: 0.5 })).toBe("openai: rate limited, 0.5 a minute");
    expect(say({ reason: "width", isNarrow: true })).toBe("openai: 20 calls at a time");
    expect(say({ reason: "width" })).toBe("");
    expect(say({ reason: undefined })).toBe("");
  });

  test("B6: draws two lines in place in a terminal, and clears them", async () => {
    const written: string[] = [];
    const stream = { write: (text: string) => written.push(text), isTTY: true, columns: 80 };
    const screen = new BatchScreen(openTerminal(stream, {}), () => PROGRESS);
    screen.start();
    await new Promise((resolve) => setTimeout(resolve, 900));
    screen.say("A line that stays");
    screen.stop();
    const out = written.join("");
    expect(out).toContain("52 %  5,200 of 10,000");
    expect(out).toContain("openai: rate limited");
    expect(out).toContain("\u001b[1A\rA line that stays\n");
  });
});
