import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "secondwind-tune-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface End {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** `isInterrupted`: Ctrl-C is pressed when the first text comes. */
function start(script: string, args: readonly string[], isInterrupted = false): Promise<End> {
  return new Promise((resolve) => {
    const command = ["--no-warnings", "--import", "tsx", `tune/${script}.ts`, ...args];
    const child = execFile(process.execPath, command, (fault, out, err) => {
      resolve({ code: fault === null ? 0 : Number(fault.code), out, err });
    });
    if (isInterrupted) child.stderr?.once("data", () => child.kill("SIGINT"));
  });
}

const SMALL = ["--scenarios", "flapping", "--clients", "1", "--seeds", "1", "--jobs", "1"];

describe.concurrent("B7: tune, judge and picture, as processes", () => {
  test("B7: tune prints the front, marks the default policy and writes JSON", async () => {
    const file = join(folder, "tuned.json");
    const { code, out } = await start("main", [...SMALL, "--set", "schedules.general.baseMs=200,4000", "--out", file]);
    expect(code).toBe(0);
    expect(out).toMatch(/^Pareto front: [123] of 3 policies, 1 of 1 cells$/m);
    expect(out).toMatch(/^◆ .* default$/m);
    const { tried } = JSON.parse(readFileSync(file, "utf8")) as { tried: { name: string }[] };
    expect(tried.map(({ name }) => name)).toEqual([
      "default",
      "schedules.general.baseMs=200",
      "schedules.general.baseMs=4000",
    ]);
  });

  test("B7: judge names every bar of a cell, and picture draws what it found", async () => {
    const file = join(folder, "verdict.json");
    const { code, out } = await start("judge", [...SMALL, "--out", file]);
    expect([0, 1]).toContain(code);
    expect(out).toMatch(/^flapping 1\/1 .* (?:pass|MISS .*)$/m);
    expect(out).toMatch(/^\d of \d bars reached in 1 of 1 cells\.$/m);
    const { cells } = JSON.parse(readFileSync(file, "utf8")) as { cells: { policies: object }[] };
    expect(Object.keys(cells[0]?.policies ?? {})).toContain("resilience4j");
    const picture = join(folder, "lab.svg");
    expect(await start("picture", [file, "--clients", "1", "--out", picture])).toMatchObject({ code: 0 });
    expect(readFileSync(picture, "utf8")).toContain("One person");
  });

  test("B7: Ctrl-C prints what is finished and ends with 130", async () => {
    const { code, out } = await start("main", ["--scenarios", "drizzle", "--clients", "10000", "--jobs", "1"], true);
    expect(code).toBe(130);
    expect(out).toContain("Stopped before a cell was finished for every policy.");
  });

  test.each([
    ["main", ["--set", "mood=1"], '--set must be a field of the default policy; got "mood"'],
    ["judge", ["--clients", "0"], "--clients must be a whole number from 1 to 20000; got 0"],
    ["picture", [], "picture must be one file written by npm run judge"],
  ])("B7: %s %j is a usage error", async (script, args, message) => {
    const { code, out, err } = await start(script, args);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(message);
  });
});
