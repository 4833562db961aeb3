import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inlineWorker } from "../../build/inline-worker.ts";

const run = promisify(execFile);
let folder: string;

// One file, built for browsers; what it does on Node shows that the same text serves both.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "secondwind-bundle-"));
  await build({
    configFile: false,
    logLevel: "silent",
    plugins: [inlineWorker()],
    build: {
      outDir: folder,
      minify: false,
      lib: { entry: join(import.meta.dirname, "bundle-entry.ts"), formats: ["es"], fileName: () => "bundle.mjs" },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs a program on the bundle in a process of its own; the process has to end by itself. */
async function program(source: string): Promise<{ readonly lines: string[]; readonly errors: string }> {
  const file = join(folder, `program-${Math.random().toString(36).slice(2)}.mjs`);
  await writeFile(file, `import * as bundle from "./bundle.mjs";\n${source}`);
  const { stdout, stderr } = await run(process.execPath, [file], { timeout: 15_000 });
  return { lines: stdout.trim().split("\n"), errors: stderr };
}

describe("bundled into one file", () => {
  test("E16: the bundle is one file that imports nothing from Node", async () => {
    expect((await readdir(folder)).filter((name) => name.startsWith("bundle"))).toEqual(["bundle.mjs"]);
    expect(await readFile(join(folder, "bundle.mjs"), "utf8")).not.toMatch(/^import .*["']node:/m);
  });

  test("E16: checks patterns in its worker, and the process ends by itself although the worker is still alive", async () => {
    const { lines, errors } = await program(`
      const check = bundle.createContentCheck({ timeLimitMs: 10_000 });
      console.log(await check("n 42", { pattern: "\\\\d+" }), await check("n", { pattern: "\\\\d+" }));
      console.log((await bundle.validatePattern("(?=a)")).ok, (await bundle.validatePattern("a+")).ok);
      console.log(JSON.stringify(process.getActiveResourcesInfo().filter((name) => name === "Timeout")));
      process.on("exit", () => console.log("ended after", Math.round(performance.now() / 10_000)));
    `);
    expect(errors).toBe("");
    expect(lines).toEqual(["present missing", "false true", "[]", "ended after 0"]);
  });

  test("E16: a process that has nothing but a check under way waits for the verdict", async () => {
    const { lines } = await program(`
      bundle.createContentCheck({ timeLimitMs: 10_000 })("n 42", { pattern: "\\\\d+" }).then((verdict) => console.log(verdict));
    `);
    expect(lines).toEqual(["present"]);
  });

  test("E20: a sleeper keeps the process alive, a roused one does not, and no timer is left", async () => {
    const { lines, errors } = await program(`
      const ports = bundle.systemPorts();
      const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
      const sleeper = (wake) => ({ wakeAtMs: 0, slot: -1, wake });
      const roused = sleeper(() => console.log("never"));
      for (let call = 0; call < 1000; call++) {
        ports.sleep(roused, 60_000);
        ports.rouse(roused);
      }
      console.log(timers());
      const startMs = performance.now();
      ports.sleep(sleeper(() => console.log("woken", performance.now() - startMs >= 50)), 50);
      console.log(timers());
      process.on("exit", () => console.log("ended", timers(), performance.now() - startMs < 10_000));
    `);
    expect(errors).toBe("");
    expect(lines).toEqual(["0", "1", "woken true", "ended 0 true"]);
  });

  test("E19: a fault is reported as a process warning", async () => {
    const { lines, errors } = await program(`
      const ports = bundle.systemPorts();
      process.on("warning", (warning) => console.log(warning.name, warning.message));
      ports.sleep({ wakeAtMs: 0, slot: -1, wake() { throw new RangeError("broken wake"); } }, 1);
    `);
    expect(lines).toEqual([
      "SecondwindFault Secondwind: fault in alarms, continuing without it: RangeError: broken wake",
    ]);
    expect(errors).toContain("broken wake");
  });

  test("E12: ids differ between processes", async () => {
    const source = `console.log(bundle.systemPorts().newId())`;
    const [one, other] = await Promise.all([program(source), program(source)]);
    expect(one.lines[0]).not.toBe(other.lines[0]);
  });
});
