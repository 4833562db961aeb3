import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { type CliEnd, startCli } from "../../support/run-cli.ts";

const folder = mkdtempSync(join(tmpdir(), "secondwind-lab-"));
afterAll(() => rmSync(folder, { recursive: true }));
const inFolder = (name: string, text?: string): string => {
  const file = join(folder, name);
  if (text !== undefined) writeFileSync(file, text);
  return file;
};

/** `interruptAfterMs`: when Ctrl-C is pressed. */
function lab(args: readonly string[], interruptAfterMs?: number): Promise<CliEnd> {
  const { child, end } = startCli(["lab", ...args]);
  if (interruptAfterMs !== undefined) setTimeout(() => child.kill("SIGINT"), interruptAfterMs);
  return end;
}

const SMALL = ["--clients", "40", "--seeds", "2"];

describe.concurrent("B7: secondwind lab, as a process", () => {
  test("B7: --json prints the figures and nothing else", async () => {
    const { code, out, err } = await lab(["--scenario", "fast-503", "--policy", "console", ...SMALL, "--json"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const { worst, ...figures } = JSON.parse(out) as Record<string, number | null> & { worst: object };
    expect(Object.keys(figures)).toEqual([
      "amplification",
      "peak",
      "recoverySeconds",
      "wasted",
      "failed",
      "waitedSeconds",
      "served",
      "p95Seconds",
    ]);
    expect(Object.keys(worst)).toEqual(Object.keys(figures));
    expect(figures.amplification).toBeGreaterThan(1);
    expect(out.trim().split("\n")).toHaveLength(1);
  });

  test("B7: --clients 1 is one person, without figures that would be chance", async () => {
    const { out } = await lab(["--scenario", "flapping", "--clients", "1"]);
    expect(out).toContain("For 1 min, one person, 50 % load.");
    expect(out).toMatch(/^ {2}default +\d\.\d\d× +– +– /m);
    expect(out).toContain("No peak or recovery: with one person they would be chance.");
    expect(out).toContain("5 seeds together.");
  });

  test("B7: the same command gives the same figures", async () => {
    const args = ["--scenario", "black-hole", ...SMALL, "--json"];
    const [first, second] = await Promise.all([lab(args), lab(args)]);
    expect(first.out).toBe(second.out);
  });

  test("B7: compares policies side by side, in a table, as JSON and in a report", async () => {
    const file = inFolder(
      "mine.json",
      '{ "name": "mine", "schedules": { "general": { "type": "fixed", "delayMs": 700 } } }',
    );
    const report = inFolder("report.html");
    const args = ["--scenario", "flapping", "--compare", "none", file, ...SMALL];
    const { code, out } = await lab([...args, "--report", report]);
    expect(code).toBe(0);
    expect(out).toMatch(/policy +amplif\. +peak +recov\. +wasted +failed +wait +served +p95/);
    expect(out).toMatch(/^ {2}none +1\.00×/m);
    expect(out).toMatch(/^ {2}mine +/m);
    expect(readFileSync(report, "utf8")).toContain("<title>Flapping: none · mine");
    const json = JSON.parse((await lab([...args, "--json"])).out) as { policy: string }[];
    expect(json.map(({ policy }) => policy)).toEqual(["none", "mine"]);
  });

  test("B7: Ctrl-C leaves a valid report of the finished runs", async () => {
    const report = inFolder("stopped.html");
    const { code, out } = await lab(["--clients", "200", "--seeds", "1000", "--report", report], 2000);
    expect(code).toBe(130);
    expect(out).toContain("Stopped");
    const html = readFileSync(report, "utf8");
    expect(html).toContain("Stopped");
    expect(html.trimEnd().endsWith("</html>")).toBe(true);
  });

  test.each([
    [
      ["--scenario", "rain"],
      '--scenario must be one of fast-503, black-hole, brownout, 529-wave, flapping, quota-cliff, burst-429, slow-tokens, regional-outage, drizzle, drizzle-hints, long-outage, thundering-start, slow-start, rate-limited-batch; got "rain"',
    ],
    [["--policy", "hope"], "--policy must be one of default, tavern, session, patient, console, background"],
    [["--policy", "./nowhere.json"], '--policy must be a file that can be read (ENOENT); got "./nowhere.json"'],
    [["--clients", "0"], "--clients must be a whole number from 1 to 20000; got 0"],
    [["--clients", "many"], '--clients must be a whole number from 1 to 20000; got "many"'],
    [["--seeds", "1.5"], "--seeds must be a whole number from 1 to 1000; got 1.5"],
    [["--outage", "-1"], '--outage must be a whole number from 1 to 86400; got "-1"'],
    [["--compare", "none"], '--compare must be two to 8 policies; got "none"'],
    [["--compare", "none", "none"], '--compare must be named once; got "none"'],
    [["--policy", "none", "--compare", "none", "console"], "--policy must be omitted when --compare is used"],
    [["--seeds", "1", "--report", "/nowhere/report.html"], "--report must be a file that can be written (ENOENT)"],
  ])("B7: %j is a usage error", async (args, message) => {
    const { code, out, err } = await lab(args);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(message);
  });

  test.each([
    ["broken.json", "{", "--policy must be a JSON file"],
    ["wrong.json", '{ "maxDelayMs": -5 }', "policy.maxDelayMs must be a number from 0"],
    ["list.json", "[]", "policy must be an object; got an array"],
  ])("B7: an invalid policy file (%s) is a usage error", async (name, text, message) => {
    const { code, err } = await lab(["--policy", inFolder(name, text)]);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });
});
