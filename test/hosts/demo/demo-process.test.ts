import { describe, expect, test } from "vitest";
import { runCli, startCli } from "../../support/run-cli.ts";

/** The lines of the output that begin with a mark. */
const marked = (out: string): string[] => out.split("\n").filter((line) => /^ {2}[→✗·⇢↩✓■]/.test(line));

const OUTAGE = [
  "  → Attempt 1: cirrus/large (key-1)",
  "  ✗ Rate limit (429): Too many requests, slow down",
  "  · Waits 400 ms, as requested (retry 1 of 4)",
  "  → Attempt 2: cirrus/large (key-1)",
  "  ✗ Connection failed: socket hang up",
  "  · Waits 300 ms (retry 2 of 4)",
  "  → Attempt 3: cirrus/large (key-1)",
  "  ✗ Quota used up (429): You exceeded your current quota",
  "  ⇢ Switches to another key at once: key-1 → key-2",
  "  → Attempt 4: cirrus/large (key-2)",
  "  ✗ Overloaded (529): Overloaded",
  "  ⇢ Switches to another model at once instead of waiting 6 s: large → swift",
  "  → Attempt 5: nimbus/swift (key-3)",
  "  ✗ Stalled stream: No new content for 250 ms",
  "  ↩ Discards the partial answer: an answer never mixes two attempts",
  "  · Waits 400 ms (retry 3 of 4)",
  "  → Attempt 6: nimbus/swift (key-3)",
];

describe.concurrent("B8: the demo, as a process", () => {
  test("B8: gets the answer through the outage and prints its receipt, without escape codes", async () => {
    const { code, out, err } = await runCli(["demo", "--fast"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(marked(out)).toEqual([...OUTAGE, "  ✓ Done. The answer above is complete."]);
    expect(out.replace(/\s+/g, " ")).toContain("this answer has reached you whole.");
    expect(out).toMatch(
      /Outcome {4}complete: the whole answer comes from one attempt\n {2}Attempts {3}6\n {2}Waited {5}1\.1 s of/,
    );
    expect(out).toContain("  Targets    cirrus/large (key-1), cirrus/large (key-2), nimbus/swift (key-3)");
    expect(out).toContain("  Attempt 5  nimbus/swift (key-3): stalled stream, then waited 400 ms");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: looking for them is the point.
    expect(out).not.toMatch(/[\u001b\r]/);
  });

  test("B8: fails with exit code 1 when the outage does not end", async () => {
    const { code, out } = await runCli(["demo", "--fast", "--fail"]);
    expect(code).toBe(1);
    expect(marked(out)).toEqual([
      ...OUTAGE,
      "  ✗ Overloaded (503): Service unavailable",
      "  · Waits 500 ms (retry 4 of 4)",
      "  → Attempt 7: nimbus/swift (key-3)",
      "  ✗ Overloaded (503): Service unavailable",
      "  ■ No answer. The receipt shows why.",
    ]);
    expect(out).toContain("  Outcome    failed: all retries are used up; no answer text was delivered");
  });

  test("B8: Ctrl-C gives up, prints the receipt and exits with 130", async () => {
    const { child, end, said } = startCli(["demo"]);
    await said("Waits 4 s, as requested");
    child.kill("SIGINT");
    const { code, out } = await end;
    expect(code).toBe(130);
    expect(out).toContain("  Outcome    you gave up; no answer text was delivered");
    expect(out).toContain("  Attempts   1\n");
  });

  test("B8: reports a truncated answer when the user gives up in the middle of it", async () => {
    const { child, end, said } = startCli(["demo", "--fast"]);
    await said("A second wind is");
    child.kill("SIGINT");
    const { code, out } = await end;
    expect(code).toBe(130);
    expect(out).toContain("truncated: only part of the answer was shown");
  });

  test("B8: fits into 40 columns", async () => {
    const { out } = await runCli(["demo", "--fast"], "", { COLUMNS: "40" });
    for (const line of out.split("\n")) expect(line.length).toBeLessThanOrEqual(40);
  });

  test("B8: ends quietly when its reader leaves", async () => {
    const { child, end } = startCli(["demo", "--fast"]);
    child.stdout.destroy();
    expect(await end).toMatchObject({ code: 0, err: "" });
  });
});
