import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { transformSync } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RpcClient } from "../../src/hosts/rpc/index.ts";
import { openStore } from "../../src/store/index.ts";
import { type Line, ofType, response, startRpcChild } from "../hosts/rpc/rpc-child.ts";
import { CLI, runCli } from "../support/run-cli.ts";

const home = mkdtempSync(join(tmpdir(), "secondwind-extensions-"));
const env = { HOME: home, SECONDWIND_HOME: home };
afterAll(() => rmSync(home, { recursive: true, force: true }));

const file = (name: string): string => join(home, name);
const write = (name: string, text: string): string => {
  writeFileSync(file(name), text);
  return file(name);
};
const flags = (...names: readonly string[]): string[] => names.flatMap((name) => ["--extension", file(name)]);
const messagesOf = (lines: readonly Line[]): unknown[] => lines.filter(ofType("warning")).map(({ message }) => message);

const GOOD = `
import { appendFileSync } from "node:fs";
const log = (text) => appendFileSync(${JSON.stringify(file("good.log"))}, text + "\\n");
export default ({ on, addTool, addCommand, session }) => {
  on("auto_retry_start", ({ attempt }) => log("retry " + attempt));
  on("agent_end", ({ status }) => log(status));
  addTool({ name: "clock", description: "The time", run: () => "noon" });
  addCommand({ name: "shout", description: "says it louder", run: (args) => args.toUpperCase() + "!" });
  addCommand({ name: "hang", description: "never ends", run: () => new Promise(() => {}) });
  addCommand({ name: "fail", description: "fails", run: () => { throw new Error("no luck"); } });
  // Left behind on purpose.
  setInterval(() => {}, 1000);
  return () => log("unloaded");
};`;

beforeAll(() => {
  write("good.js", GOOD);
  write("throws.js", 'export default () => { throw new Error("bad day"); };');
  write("hangs.js", "await new Promise(() => {}); export default () => {};");
  write("syntax.js", "export default () => {\n  const = 5;\n};");
  write("bad-end.js", 'export default () => () => { throw new Error("bad end"); };');
  write("nothing.js", "export const a = 1;");
  write(
    "common.cjs",
    'module.exports = ({ addCommand }) => addCommand({ name: "cjs", description: "d", run: () => "cjs" });',
  );
  write("typed.ts", "export default (api: unknown): void => void api;");
  write(
    "stray.js",
    `export default ({ on }) => on("agent_start", () => {
      setTimeout(() => { throw new Error("stray throw"); }, 0);
      Promise.reject(new Error("stray rejection"));
      setTimeout(() => Promise.reject("no error"), 0);
    }) && undefined;`,
  );
});

describe("extensions of the program", () => {
  test("S7: rpc loads a good one, names the broken ones, and goes on", async () => {
    const names = [
      "good.js",
      "throws.js",
      "missing.js",
      "hangs.js",
      "syntax.js",
      "nothing.js",
      "common.cjs",
      "typed.ts",
    ];
    const { send, until, lines, child, ended, err } = startRpcChild(
      [CLI, "rpc", "--model", "sim/overloaded-twice", ...flags(...names)],
      env,
    );
    send({ id: 1, type: "get_commands" }, { id: 2, type: "run_command", name: "shout", arguments: "hi there" });
    send({ id: 3, type: "run_command", name: "fail" }, { id: 4, type: "run_command", name: "nope" });
    send({ id: 5, type: "run_command", name: "hang" }, { id: 6, type: "prompt", message: "echo: hello" });
    expect((await until(response(1))).data).toEqual({
      commands: [
        { name: "shout", description: "says it louder" },
        { name: "hang", description: "never ends" },
        { name: "fail", description: "fails" },
        { name: "cjs", description: "d" },
      ],
    });
    expect(await until(response(2))).toMatchObject({ success: true, data: { output: "HI THERE!" } });
    expect(await until(response(3))).toMatchObject({
      success: false,
      error: `Extension ${file("good.js")}: /fail: no luck`,
    });
    expect(await until(response(4))).toMatchObject({
      success: false,
      error: expect.stringContaining("must be one of"),
    });
    await until(ofType("agent_end"));
    child.stdin.end();
    // The timer that it has left behind and the command that hangs do not keep the program.
    expect(await ended).toBe(0);
    expect(lines.find(response(5))).toMatchObject({ success: false, error: expect.stringContaining("cancelled") });
    expect(readFileSync(file("good.log"), "utf8")).toBe("retry 1\nretry 2\ndone\nunloaded\n");
    const reasons = messagesOf(lines).map(String).sort();
    const isTyped = typeof (process.features as { typescript?: unknown }).typescript === "string";
    const expected = [
      `Extension ${file("throws.js")} was not loaded: bad day`,
      `Extension ${file("missing.js")} was not loaded: the file ${file("missing.js")} does not exist or can't be read`,
      `Extension ${file("hangs.js")} was not loaded: took longer than 5 s`,
      `Extension ${file("syntax.js")} was not loaded: Unexpected token '=' (node --check ${file("syntax.js")} shows where)`,
      `Extension ${file("nothing.js")} was not loaded: its default export must be a function; got undefined`,
      ...(isTyped
        ? []
        : [
            `Extension ${file("typed.ts")} was not loaded: this Node (${process.versions.node}) can't run TypeScript. ` +
              "Compile the file to JavaScript, or use Node 22.18 or newer",
          ]),
    ];
    expect(reasons).toEqual(expected.sort());
    // Before anything else, so that a client sees them.
    expect(lines.findIndex(ofType("warning"))).toBeLessThan(lines.findIndex(response(1)));
    expect(err()).not.toContain("Extension");
  }, 60_000);

  test("S7: what an extension throws from a timer or leaves rejected is reported, and the session goes on", async () => {
    const { send, until, lines, child, ended } = startRpcChild(
      [CLI, "rpc", "-m", "sim/ok", "-e", file("stray.js")],
      env,
    );
    send({ id: 1, type: "prompt", message: "echo: one" });
    await until(ofType("agent_end"));
    send({ id: 2, type: "prompt", message: "echo: two" });
    await until((line) => lines.filter(ofType("agent_end")).length === 2 && line.type === "agent_end");
    child.stdin.end();
    expect(await ended).toBe(0);
    const name = `Extension ${file("stray.js")}:`;
    for (const reason of ["stray throw", "stray rejection", "no error"]) {
      expect(messagesOf(lines)).toContain(`${name} ${reason}`);
    }
  }, 60_000);

  test("S7: extensions come from the settings too, and never from the working folder by themselves", async () => {
    const own = mkdtempSync(join(home, "settings-"));
    mkdirSync(join(own, "extensions"));
    for (const name of ["secondwind.js", "extensions/any.js", "extension.js"]) {
      writeFileSync(join(own, name), 'process.stderr.write("loaded from the folder\\n");');
    }
    const store = await openStore({ path: join(own, "secondwind.db") });
    await expect(store.config.set("extensions", ["extension.js"])).rejects.toThrow("must be a list of absolute paths");
    await expect(store.config.set("extensions", "/a.js")).rejects.toThrow("must be a list of absolute paths");
    await store.config.set("extensions", [file("good.js"), "~/throws.js"]);
    await store.close();
    const { send, until, lines, child, ended, err } = startRpcChild(
      // The same file by the flag is loaded once.
      [CLI, "rpc", "-m", "sim/ok", ...flags("good.js")],
      { HOME: home, SECONDWIND_HOME: own },
      own,
    );
    send({ id: 1, type: "get_commands" });
    expect((await until(response(1))).data).toMatchObject({
      commands: [{ name: "shout" }, { name: "hang" }, { name: "fail" }],
    });
    child.stdin.end();
    expect(await ended).toBe(0);
    expect(messagesOf(lines)).toEqual(["Extension ~/throws.js was not loaded: bad day"]);
    expect(err()).toBe("");
  }, 60_000);

  test("S7: the example works, and RpcClient names extensions", async () => {
    const source = readFileSync(join(import.meta.dirname, "../../examples/extension.ts"), "utf8");
    const example = write("example.mjs", transformSync(source, { loader: "ts" }).code);
    const client = await RpcClient.start({
      env: { PATH: process.env.PATH, ...env },
      program: [CLI, "rpc"],
      model: "sim/overloaded-twice",
      extensions: [example],
    });
    const ended = new Promise<void>((resolve) => {
      client.subscribe(({ type }) => {
        if (type === "agent_end") resolve();
      });
    });
    await client.prompt("echo: hello");
    await ended;
    expect(await client.getCommands()).toEqual([
      { name: "retries", description: "show how often this session has retried" },
    ]);
    expect(await client.runCommand("retries")).toBe("Retries: 2");
    await client.close();
  }, 60_000);

  test("S7: console runs their commands, lists them in its help, and names what was not loaded", async () => {
    const input = "/shout hi\n/help\n/nope\necho: still here\n";
    const { code, out, err } = await runCli(["console", "-m", "sim/ok", ...flags("good.js", "throws.js")], input, env);
    expect(out).toContain("HI!");
    expect(out).toContain("/shout                    says it louder");
    expect(out).toContain("still here");
    expect(err).toContain(`Extension ${file("throws.js")} was not loaded: bad day`);
    expect(code).toBe(2);
    expect(readFileSync(file("good.log"), "utf8").trim().endsWith("done\nunloaded")).toBe(true);
  }, 60_000);

  test("S7: rpc reports an unload function that throws", async () => {
    const { code, out } = await runCli(["rpc", "-m", "sim/ok", ...flags("bad-end.js")], '{"type":"get_state"}\n', env);
    expect(code).toBe(0);
    expect(out).toContain(`Extension ${file("bad-end.js")}: unload: bad end`);
  }, 60_000);
});
