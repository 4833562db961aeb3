import { spawn } from "node:child_process";
import { cp, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { transform } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startSimulator } from "../../src/simulator/http/index.ts";
import { nodeDriver } from "../../src/store/sqlite/load-driver.ts";
import { type Installed, installPacked, ROOT } from "./pack.ts";

let installed: Installed;

beforeAll(async () => {
  installed = await installPacked();
}, 60_000);

afterAll(() => installed.remove());

const manifest = async () => JSON.parse(await readFile(join(installed.package, "package.json"), "utf8"));

describe("the package in an empty project", () => {
  test("it is the only package that is installed, and no script runs", async () => {
    const names = (await readdir(join(installed.project, "node_modules"))).filter((name) => !name.startsWith("."));
    expect(names).toEqual(["secondwind"]);
    const { dependencies, scripts } = await manifest();
    expect(dependencies).toBeUndefined();
    expect(Object.keys(scripts).filter((name) => /^(?:pre|post)?install$/.test(name))).toEqual([]);
  });

  test("it has no source maps, no compiled code and less than 13 MB", async () => {
    const names = await readdir(installed.package, { recursive: true });
    expect(names.filter((name) => /\.(?:map|compiled)$/.test(name))).toEqual([]);
    const sizes = await Promise.all(names.map(async (name) => (await stat(join(installed.package, name))).size));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(13_000_000);
  });

  test("every document that a message names is in it", async () => {
    const names = await readdir(installed.package, { recursive: true });
    const scripts = names.filter((name) => /\.c?js$/.test(name));
    const named = new Set<string>();
    for (const name of scripts) {
      const code = await readFile(join(installed.package, name), "utf8");
      for (const [document] of code.matchAll(/docs\/[\w-]+\.md/g)) named.add(document);
    }
    expect([...named].filter((document) => !names.includes(document))).toEqual([]);
  });
});

/** Sends commands to `secondwind rpc` of the installed package and collects what it writes. */
async function rpc(...commands: readonly object[]): Promise<{ lines: Record<string, unknown>[]; err: string }> {
  const program = join(installed.package, "dist/cli.cjs");
  const session = ["rpc", "--model", "sim/ok", "--conversation", "kept"];
  const child = spawn(process.execPath, [program, ...session], {
    cwd: installed.project,
    env: { PATH: process.env.PATH ?? "", SECONDWIND_HOME: join(installed.project, "home") },
  });
  child.stdin.end(commands.map((command) => `${JSON.stringify(command)}\n`).join(""));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return {
    lines: out
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line)),
    err,
  };
}

const hasSqlite = nodeDriver() !== undefined;

const contents = (lines: readonly Record<string, unknown>[]): unknown =>
  lines.find(({ command }) => command === "get_messages")?.data;

/** libsql and what it needs, from this project: `npm install libsql` without a network. */
async function addLibsql(): Promise<void> {
  for (const name of ["libsql", "@libsql", "@neon-rs"]) {
    const from = join(ROOT, "node_modules", name);
    await cp(from, join(installed.project, "node_modules", name), { recursive: true });
  }
}

describe(hasSqlite ? "on a Node with SQLite" : "on a Node without SQLite", () => {
  if (hasSqlite) {
    test("S6: a conversation is stored and found again, without libsql", { timeout: 60_000 }, () => expectStored());
    return;
  }

  test("S6: one line names what to install, and the session works in memory", { timeout: 60_000 }, async () => {
    const { lines, err } = await rpc({ type: "prompt", message: "hi" });
    expect(lines.at(-1)).toMatchObject({ type: "agent_end", status: "done" });
    expect(err).toMatch(/^secondwind: nothing is saved in this run\. .* run `npm install libsql` .*\n$/);
    expect(await readdir(installed.project)).not.toContain("home");
  });

  test("S6: with libsql beside it a conversation is stored and found again", { timeout: 60_000 }, async () => {
    await addLibsql();
    await expectStored();
  });
});

async function expectStored(): Promise<void> {
  const first = await rpc({ type: "prompt", message: "remember the number 7" });
  expect(first.err).toBe("");
  expect(first.lines.at(-1)).toMatchObject({ type: "agent_end", status: "done" });
  const second = await rpc({ type: "get_messages" });
  expect(second.err).toBe("");
  expect(contents(second.lines)).toMatchObject({
    messages: [{ role: "user", content: "remember the number 7" }, { role: "assistant" }],
  });
}

test("S7, S9: the example of an RPC client starts the installed program and shows its retry", async () => {
  const sim = await startSimulator({
    ...{ firstTokenMs: 0, tokenMs: 0 },
    scenario: {
      models: {
        "claude-sonnet-5-5": [
          { do: "rate-limited", hintMs: 30 },
          { do: "ok", text: "Three files." },
        ],
      },
    },
  });
  try {
    const { code } = await transform(await readFile(join(ROOT, "examples/rpc-client.ts"), "utf8"), { loader: "ts" });
    const file = join(installed.project, "rpc-client.mjs");
    await writeFile(file, code);
    const child = spawn(process.execPath, [file], {
      cwd: installed.project,
      env: {
        ...{ PATH: process.env.PATH ?? "", SECONDWIND_HOME: join(installed.project, "rpc-home") },
        ...{ ANTHROPIC_BASE_URL: sim.urls.anthropic, ANTHROPIC_API_KEY: "key-1" },
      },
    });
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
    expect(out).toBe("Three files.");
    expect(err).toMatch(/: retrying in \d+ ms\n$/);
    expect(sim.requests.map(({ key, status }) => [key, status])).toEqual([
      ["key-1", 429],
      ["key-1", 200],
    ]);
  } finally {
    await sim.close();
  }
}, 30_000);
