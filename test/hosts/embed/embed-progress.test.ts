import { describe, expect, test } from "vitest";
import type { WaitStart } from "../../../src/hosts/embed/embed-lines.ts";
import { EmbedProgress } from "../../../src/hosts/embed/embed-progress.ts";
import { classify } from "../../../src/kernel/index.ts";
import { openTerminal, type Terminal } from "../../../src/terminal/index.ts";

const wait = {
  type: "wait-start",
  ...{ attempt: 3, retry: 3, maxRetries: null, schedule: "general", delayMs: 12_000, until: 0, because: "" },
  ...{ waitedMs: 48_000, patienceMs: 1_800_000, failure: classify({ status: 503 }), generationId: "g", at: 0 },
} as const satisfies WaitStart;

function plainTerminal(): { readonly terminal: Terminal; readonly lines: string[] } {
  const lines: string[] = [];
  const write = (text: string): boolean => lines.push(text) > 0;
  const stream = { isTTY: false, write, on: () => stream } as unknown as NodeJS.WriteStream;
  return { terminal: openTerminal(stream, { NO_COLOR: "1" }), lines };
}

describe("embed's progress", () => {
  test("C6: a long wait shows the retry, and how much of the policy's patience is used up", () => {
    const { terminal, lines } = plainTerminal();
    new EmbedProgress(terminal, () => 0).wait(wait);
    expect(lines).toEqual([
      "503 Service Unavailable; retry 3 in 12 s · waited 48 s of 30 min (0 lines embedded, 0 failed)\n",
    ]);
  });

  test("C6: a policy without a limit in time shows the retry alone", () => {
    const { terminal, lines } = plainTerminal();
    new EmbedProgress(terminal, () => 0).wait({ ...wait, patienceMs: null, maxRetries: 8 });
    expect(lines).toEqual(["503 Service Unavailable; retry 3 of 8 in 12 s (0 lines embedded, 0 failed)\n"]);
  });
});
