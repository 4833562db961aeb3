import type { ChildProcess } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { CLI, type CliStart, runCli, startCli } from "../../support/run-cli.ts";
import { ask } from "./support/test-server.ts";

// Not `onTestFinished`: with concurrent tests it does not know which one it is called in.
const children: ChildProcess[] = [];
const folders: string[] = [];
afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "secondwind-serve-"));
  folders.push(folder);
  return folder;
}

interface Started extends CliStart {
  readonly port: number;
  readonly out: string;
}

/** `secondwind serve` on a free port, killed after the test. */
async function start(
  home: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Started> {
  const started = startCli(["serve", "--port", "0", ...args], { HOME: home, ...env });
  children.push(started.child);
  const out = await started.said(args.includes("json") ? '"event":"started"' : "Press Ctrl-C to stop.");
  return { ...started, out, port: Number(/http:\/\/127\.0\.0\.1:(\d+)/.exec(out)?.[1]) };
}

const say = (port: number, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  ask(port, "/chat", { method: "POST", body, headers });

/** Starts a turn and resolves with its conversation as soon as there is one; `end` with all its lines. */
async function startTurn(port: number, message: string, model: string): Promise<{ id: string; end: Promise<string> }> {
  const response = await fetch(`http://127.0.0.1:${port}/chat`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ message, model }),
  });
  return { id: response.headers.get("x-conversation-id") ?? "", end: response.text().catch(() => "cut off") };
}

/** The machine may be busy with other tests. */
const SLOWLY = { timeout: 10_000 };

const isOpen = (port: number): Promise<boolean> =>
  ask(port, "/health").then(
    () => true,
    () => false,
  );

async function stateOf(port: number, id: string): Promise<unknown> {
  const { json } = await ask(port, `/api/conversations/${id}`);
  return (json as { readonly state: unknown }).state;
}

async function goOn(port: number, id: string, model: string): Promise<number> {
  const { token } = (await ask(port, "/api/session")).json as { readonly token: string };
  const headers = { "x-secondwind-token": token };
  const { status } = await ask(port, `/api/conversations/${id}/continue`, { method: "POST", headers, body: { model } });
  return status;
}

describe.concurrent("K5: secondwind serve, as a process", () => {
  test("K5: prints the address and what to do, and the page answers within 5 s of the start", async ({ expect }) => {
    const startedAt = performance.now();
    const { port, out, child, end } = await start(newFolder());
    const page = await ask(port, "/");
    const tookMs = performance.now() - startedAt;
    expect([page.status, page.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(out).toBe(
      `Secondwind is running at http://127.0.0.1:${port}\nNo API key found, so the simulated provider is used. Open the address, send a message, then choose Storm.\nBase URL for other applications: http://127.0.0.1:${port}/v1 (OpenAI), http://127.0.0.1:${port} (Anthropic, Gemini). Set-ups: http://127.0.0.1:${port}/connect\nPress Ctrl-C to stop.\n`,
    );
    expect(tookMs).toBeLessThan(5000);
    child.kill("SIGINT");
    expect(await end).toMatchObject({ code: 0, err: "" });
  });

  test("K5: writes one line for each generation, without prompt and answer", async ({ expect }) => {
    const { port, child, end, said } = await start(newFolder(), ["--time-scale", "0"]);
    const { text } = await say(port, { message: "My secret plan", model: "sim/echo" });
    expect(text).toContain('"status":"done"');
    await said("chat sim/echo: answered in ");
    child.kill("SIGTERM");
    const { out } = await end;
    expect(out.split("\n").filter((line) => line.includes("sim/echo"))).toHaveLength(1);
    expect(out).not.toContain("secret plan");
  });

  test("K5: --log json writes objects, --quiet nothing", async ({ expect }) => {
    const json = await start(newFolder(), ["--time-scale", "0", "--log", "json"]);
    const quiet = await start(newFolder(), ["--time-scale", "0", "--quiet"]);
    await say(json.port, { message: "Hi", model: "sim/ok" });
    await say(quiet.port, { message: "Hi", model: "sim/ok" });
    await json.said('"asked":"sim/ok"');
    for (const { child } of [json, quiet]) child.kill("SIGTERM");
    const lines = (await json.end).out.trim().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ event: "started", url: `http://127.0.0.1:${json.port}`, isSimulated: true }),
      expect.objectContaining({ event: "generation", door: "chat", asked: "sim/ok", attempts: 1 }),
      { event: "stopping", turns: 0, drainMs: 30_000 },
    ]);
    expect((await quiet.end).out).toBe(quiet.out);
  });

  test("K5: SIGTERM accepts nothing new and lets the running turn finish", async ({ expect }) => {
    const { port, child, end } = await start(newFolder(), ["--time-scale", "4", "--drain", "20"]);
    const turn = await startTurn(port, "Hello", "sim/ok");
    child.kill("SIGTERM");
    await expect.poll(() => isOpen(port), SLOWLY).toBe(false);
    expect(await turn.end).toMatch(/"type":"turn-sealed","status":"done"|"type":"turn-sealed".*"status":"done"/);
    const { code, out, err } = await end;
    expect([code, err]).toEqual([0, ""]);
    expect(out).toContain("Stopping. Waiting up to 20 s for a turn that is running. Press Ctrl-C again to stop now.\n");
  });

  test("K5: a turn that waits for longer than the drain is stored as interrupted, and continues after a restart", async ({
    expect,
  }) => {
    const home = newFolder();
    const first = await start(home, ["--drain", "2", "--time-scale", "0"]);
    const turn = await startTurn(first.port, "Hello", "sim/overloaded");
    await expect.poll(() => stateOf(first.port, turn.id), SLOWLY).toBe("waiting");
    first.child.kill("SIGTERM");
    expect(await first.end).toMatchObject({ code: 0 });
    await turn.end;
    const second = await start(home, ["--time-scale", "0"]);
    expect(await stateOf(second.port, turn.id)).toBe("interrupted");
    expect(await goOn(second.port, turn.id, "sim/ok")).toBe(200);
    await expect.poll(() => stateOf(second.port, turn.id), SLOWLY).toBe("idle");
  });

  test("K5: after kill -9 in the middle of a wait, the turn is interrupted and continues after a restart", async ({
    expect,
  }) => {
    const home = newFolder();
    const first = await start(home, ["--time-scale", "0"]);
    const turn = await startTurn(first.port, "Hello", "sim/overloaded");
    await expect.poll(() => stateOf(first.port, turn.id), SLOWLY).toBe("waiting");
    first.child.kill("SIGKILL");
    await first.end;
    expect(await turn.end).toBe("cut off");
    const second = await start(home, ["--time-scale", "0"]);
    expect(await stateOf(second.port, turn.id)).toBe("interrupted");
    expect(await goOn(second.port, turn.id, "sim/ok")).toBe(200);
    await expect.poll(() => stateOf(second.port, turn.id), SLOWLY).toBe("idle");
  });

  test("K5: a second signal ends at once with 130", async ({ expect }) => {
    const { port, child, end } = await start(newFolder(), ["--drain", "60", "--time-scale", "0"]);
    const turn = await startTurn(port, "Hello", "sim/silent");
    child.kill("SIGINT");
    await expect.poll(() => isOpen(port), SLOWLY).toBe(false);
    child.kill("SIGINT");
    expect(await end).toMatchObject({ code: 130 });
    await turn.end;
  });

  test("K5: two servers on one store both work, and see each other's conversations", async ({ expect }) => {
    const home = newFolder();
    const [one, two] = await Promise.all([start(home, ["--time-scale", "0"]), start(home, ["--time-scale", "0"])]);
    const sent = await Promise.all(
      Array.from({ length: 10 }, (_, n) => say((n % 2 ? one : two).port, { message: `Hi ${n}`, model: "sim/ok" })),
    );
    expect(sent.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    for (const { port } of [one, two]) {
      const { json } = await ask(port, "/api/conversations");
      expect((json as { readonly conversations: unknown[] }).conversations).toHaveLength(10);
    }
  });

  test("K5: a port that was asked for and is taken is an error", async ({ expect }) => {
    const other = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => other.once("listening", resolve));
    const { port } = other.address() as AddressInfo;
    const { code, err } = await runCli(["serve", "--port", String(port)], "", { HOME: newFolder() });
    other.close();
    expect([code, err]).toEqual([
      1,
      `secondwind: Port ${port} is in use. Choose another with --port, or 0 for any free port.\n`,
    ]);
  });

  test.each([
    [["--host", "0.0.0.0"], {}, 1, /so an access key is required.*secondwind access add NAME/],
    [
      ["--key", "short"],
      {},
      2,
      /^secondwind: --key must be one word of 16 to 4096 plain characters; got "5 characters"\n$/,
    ],
    [[], { SECONDWIND_KEY: "sh ort key that has spaces" }, 2, /^secondwind: SECONDWIND_KEY must be one word/],
    [["--port", "99999"], {}, 2, /--port must be .*65535; got 99999/],
    [["--drain", "x"], {}, 2, /--drain must be/],
    [["--log", "xml"], {}, 2, /--log must be one of text, json; got "xml"/],
    [["--files", "/nothing/there"], {}, 2, /--files must be a folder that exists/],
    [["--allow-host", "http://x"], {}, 2, /--allow-host must be a host name without scheme or port/],
    [["--host", "203.0.113.7", "--key", "a-key-of-enough-length"], {}, 1, /This machine has no address "203.0.113.7"/],
  ])("K5: serve %j with %j exits with %s and says why", async (args, env, code, words) => {
    const ended = await runCli(["serve", "--port", "0", ...args], "", {
      HOME: newFolder(),
      ...(env as Readonly<Record<string, string>>),
    });
    expect(ended.code).toBe(code);
    expect(ended.err).toMatch(words);
    expect(ended.err).not.toContain("sh ort key");
  });

  test("K5: access keys are created, listed and removed on the command line", async ({ expect }) => {
    const env = { HOME: newFolder() };
    const added = await runCli(["access", "add", "laptop"], "", env);
    expect(added).toMatchObject({ code: 0, err: "Access key of laptop, shown only now:\n" });
    expect(added.out).toMatch(/^sw-[\w-]{43}\n$/);
    const { port, out } = await start(env.HOME);
    expect(out).toContain("Every request needs an access key, also from this machine");
    expect((await ask(port, "/api/models")).status).toBe(401);
    const headers = { authorization: `Bearer ${added.out.trim()}` };
    expect((await ask(port, "/api/models", { headers })).status).toBe(200);
    expect((await runCli(["access", "list"], "", env)).out).toMatch(/^laptop {2}created \d{4}-/);
    expect(await runCli(["access", "remove", "laptop"], "", env)).toMatchObject({ code: 0, out: "Removed laptop\n" });
    expect((await runCli(["access", "list"], "", env)).out).toContain("No access keys.");
  });
});

test("K5: no other command loads the server", () => {
  const folder = dirname(CLI);
  const loaded = new Set<string>();
  const load = (name: string): void => {
    if (loaded.has(name)) return;
    loaded.add(name);
    const text = readFileSync(join(folder, name), "utf8");
    for (const [, next] of text.matchAll(/^(?:import|export)\b[^;]*?"\.\/([^"]+\.js)"/gm)) load(next as string);
  };
  load("main.js");
  const withServer = readdirSync(folder).filter(
    (name) =>
      name.endsWith(".js") &&
      /class WebSocketServer|class Hono\b|Hono = class/.test(readFileSync(join(folder, name), "utf8")),
  );
  expect(withServer.length).toBeGreaterThan(0);
  expect(withServer.filter((name) => loaded.has(name))).toEqual([]);
});
