import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, inject, test } from "vitest";
import { runCli } from "../../support/run-cli.ts";

const run = promisify(execFile);
const DIST = inject("program");

/** Arguments, stdin, and a part of the output. */
const OTHERS = [
  [["--help"], "", "chat"],
  [["ask", "-m", "sim/ok", "echo: asked"], "", "asked"],
  [["console", "-m", "sim/ok"], "echo: talked\n", "talked"],
] as const;

test("S10: chat without a terminal exits with 2 and names the alternatives", async () => {
  const { code, out, err } = await runCli(["chat"]);
  expect([code, out]).toEqual([2, ""]);
  expect(err).toContain("needs a terminal");
  expect(err).toContain("secondwind ask");
  expect(err).toContain("secondwind console");
});

test("S10: --help lists keys, commands and exit codes", async () => {
  const { code, out } = await runCli(["chat", "--help"]);
  expect(code).toBe(0);
  for (const part of ["--continue", "--session", "--model", "Esc", "/info", "NO_COLOR", "Exit codes"]) {
    expect(out).toContain(part);
  }
});

test("S10: no other command loads Ink, which is behind one dynamic import in the bundle", async () => {
  const text = (name: string): string => readFileSync(join(DIST, name), "utf8");
  const files = readdirSync(DIST).filter((name) => name.endsWith(".js"));
  const ink = files.filter((name) => /node_modules\/(?:ink|react|yoga-layout)\//.test(text(name)));
  const entry = ink.find((name) => name.startsWith("show-chat"));
  expect(entry).toBeDefined();
  // Other files import them only dynamically.
  for (const name of files.filter((other) => !ink.includes(other))) {
    const statics = [...text(name).matchAll(/^import [^(]*?from "\.\/([^"]+)"|^import "\.\/([^"]+)"/gm)];
    expect(statics.map((found) => found[1] ?? found[2]).filter((to) => ink.includes(to as string))).toEqual([]);
  }
  // And it is so, whatever the others are asked to do: a loader that writes down every module that is read.
  const hook = "export async function load(url, context, next) { console.error(url); return next(url, context); }";
  const register = `import { register } from "node:module"; register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(hook)}`)});`;
  const preload = `data:text/javascript,${encodeURIComponent(register)}`;
  let loaded = "";
  const home = await mkdtemp(join(tmpdir(), "secondwind-modules-"));
  try {
    for (const [args, input, answer] of OTHERS) {
      const running = run(process.execPath, ["--import", preload, join(DIST, "cli.cjs"), ...args], {
        env: { PATH: process.env.PATH, HOME: home, SECONDWIND_HOME: home },
      });
      running.child.stdin?.end(input);
      const { stdout, stderr } = await running;
      expect(stdout).toContain(answer);
      loaded += stderr;
    }
    expect(loaded).toContain("main.js");
    expect(ink.filter((name) => loaded.includes(name))).toEqual([]);
  } finally {
    await rm(home, { recursive: true });
  }
}, 30_000);
