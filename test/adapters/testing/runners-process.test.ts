import { cp, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Installed, installPacked, ROOT, runProgram } from "../../package/pack.ts";

let installed: Installed;

beforeAll(async () => {
  installed = await installPacked();
  await cp(join(import.meta.dirname, "runners"), installed.project, { recursive: true });
  await symlink(join(ROOT, "node_modules/vitest"), join(installed.project, "node_modules/vitest"));
}, 60_000);

afterAll(() => installed.remove());

/** Runs Node in the project. A handle that stays open would keep it from ending. */
const node = (...args: readonly string[]) => runProgram(process.execPath, args, installed.project);

describe("secondwind/testing in an empty project", () => {
  test("B7: works under node:test, and the process ends by itself", { timeout: 30_000 }, async () => {
    const { code, out } = await node("--test", "with-node.test.mjs");
    expect(out).toMatch(/pass 1\b/);
    expect(code).toBe(0);
  });

  test("B7: works under vitest", { timeout: 60_000 }, async () => {
    const vitest = join(ROOT, "node_modules/vitest/vitest.mjs");
    const { code, out } = await node(vitest, "run", "--root", installed.project, "with-vitest");
    expect(out).toMatch(/Tests .*1 passed/);
    expect(out).not.toMatch(/did not exit|hanging/i);
    expect(code).toBe(0);
  });

  test("B7: works in a context of its own, as Jest runs modules", { timeout: 30_000 }, async () => {
    const { code, out } = await node("--experimental-vm-modules", "--no-warnings", "in-contexts.mjs");
    expect({ code, out }).toEqual({ code: 0, out: "passed in a context of its own\n" });
  });

  test("B7: can be required from CommonJS", { timeout: 30_000 }, async () => {
    expect(await node("--no-warnings", "with-require.cjs")).toEqual({ code: 0, out: "" });
  });
});

test("B7: the example of the documents passes", { timeout: 30_000 }, async () => {
  const { code, out } = await runProgram(
    process.execPath,
    ["--import", "tsx", "--test", join(ROOT, "examples/testing.ts")],
    ROOT,
  );
  expect(out).toMatch(/pass 2\b/);
  expect(code, out).toBe(0);
});
