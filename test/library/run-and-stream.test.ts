import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import {
  classify,
  createContentCheck,
  definePolicy,
  InvalidInput,
  type Reading,
  resilient,
  run,
  schedule,
  sleep,
  start,
  stream,
  systemPorts,
  toolArguments,
} from "../../src/index.ts";
import { read } from "../support/world.ts";

describe("run and stream in the real world", () => {
  test("E4: real HTTP: a 503 and a cut connection are carried through by fetch's own errors", async () => {
    let requests = 0;
    const server = createServer((request, response) => {
      requests++;
      if (requests === 1) {
        response.writeHead(503, { "retry-after-ms": "20" }).end("overloaded");
        return;
      }
      if (requests === 2) {
        request.socket.destroy();
        return;
      }
      response.end("fine");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const kinds: string[] = [];
    const ask = resilient(
      async ({ signal }) => {
        const response = await fetch(`http://127.0.0.1:${port}/`, { signal });
        if (response.ok) return response.text();
        throw Object.assign(new Error(await response.text()), { status: response.status, headers: response.headers });
      },
      { schedules: { general: { type: "fixed", delayMs: 1, atMost: 3 } } },
      { on: (event) => event.type === "attempt-end" && event.failure && kinds.push(event.failure.kind) },
    );
    expect(await ask()).toBe("fine");
    expect(kinds).toEqual(["overloaded", "network"]);
    server.close();
  });

  test("E13: an abort closes the upstream socket", async () => {
    let closed: () => void = () => undefined;
    const socketClosed = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const server = createServer((request) => request.socket.on("close", closed));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const controller = new AbortController();
    const result = run(({ signal }) => fetch(`http://127.0.0.1:${port}/`, { signal }), { signal: controller.signal });
    await new Promise<void>((resolve) => server.once("request", () => resolve()));
    controller.abort();
    expect(await result).toMatchObject({ ok: false, reason: "aborted" });
    await socketClosed;
    server.close();
  });

  test("E15: the real watch ends a call that hangs, and the process is free afterwards", async () => {
    const policy = {
      watchdog: { firstContentMs: 150 },
      schedules: { general: { type: "fixed", delayMs: 1, atMost: 1 } },
    } as const;
    const result = await run(() => new Promise(() => undefined), { policy });
    expect(result).toMatchObject({ ok: false, failure: { kind: "silent" }, receipt: { attempts: 2 } });
    expect(result.receipt.elapsedMs).toBeGreaterThanOrEqual(300);
  });

  test("E16: a required pattern is checked by the real guarded matcher", async () => {
    let calls = 0;
    const answers = ['{"state": "x"}', '{"status": "ok"}'];
    const result = await run(() => answers[calls++], {
      policy: {
        require: { pattern: '\\{"status":\\s*"\\w+"\\}' },
        schedules: { general: { type: "fixed", delayMs: 1, atMost: 1 } },
      },
    });
    expect(result).toMatchObject({ ok: true, value: '{"status": "ok"}', receipt: { attempts: 2, warnings: [] } });
  });

  test("E16: a pattern that is invalid or can't be checked in bounded time is refused before anything runs", () => {
    const requiring = (pattern: string) => () => start(() => "x", { policy: { require: { pattern } } });
    expect(requiring("(unclosed")).toThrow(
      'policy.require.pattern must be a valid regular expression (Unterminated group); got "(unclosed"',
    );
    expect(requiring("(?=x)")).toThrow("uses a look-ahead, (?=…), which cannot be checked in bounded time");
    expect(requiring("(a)\\1")).toThrow("uses a back-reference, \\1");
    expect(requiring("a{1001}")).toThrow("has a count over 1000");
    expect(requiring("(?:a{900}){900}")).toThrow("repeats too much");
    expect(requiring("a".repeat(1001))).toThrow("is longer than 1000 characters");
    expect(() => start(() => "x", { policy: { require: { pattern: "a", flags: "zq" } } })).toThrow(
      'policy.require.flags must be made of i, m and s; got "zq"',
    );
  });

  test("B8: start gives the handle beside the result", async () => {
    let calls = 0;
    const generation = start(
      () => {
        if (calls++ === 0) throw Object.assign(new Error("busy"), { status: 503 });
        return "soon";
      },
      { policy: { schedules: { general: { type: "fixed", delayMs: 60_000, atMost: 1 } } }, id: "mine" },
    );
    expect(generation.id).toBe("mine");
    while (!generation.isWaiting) await new Promise((resolve) => setImmediate(resolve));
    expect(generation.retryNow()).toBe(true);
    expect(await generation.result).toMatchObject({ ok: true, value: "soon" });
    expect(generation.giveUp()).toBe(false);
  });

  test("E14: an async generator is streamed through the real ports", async () => {
    async function* tokens() {
      yield "a";
      yield "[DONE]";
    }
    const inspect = (item: string): Reading => (item === "[DONE]" ? "end" : "content");
    const items = stream(tokens, { inspect });
    expect(await read(items)).toEqual({ items: ["a", "[DONE]"], error: undefined });
    expect(items.receipt).toMatchObject({ complete: true, outcome: "succeeded" });
  });

  test("E2: invalid options throw InvalidInput with the field, the value and what is allowed", async () => {
    await expect(run(5 as never)).rejects.toThrow("attempt must be a function; got 5");
    await expect(run(() => 1, { policy: { enabled: "yes" as never } })).rejects.toThrow(
      'policy.enabled must be true or false; got "yes"',
    );
    expect(() => start(() => 1, { retries: 3 } as never)).toThrow("options.retries must be omitted");
    expect(() => start(() => 1, { textOf: 3 as never })).toThrow("options.textOf must be a function; got 3");
    expect(() => stream(3 as never)).toThrow(InvalidInput);
    expect(() => stream(async function* () {}, { sink: null as never })).toThrow("options.sink must be");
    expect(() => toolArguments(undefined as never)).toThrow("received must be an object; got undefined");
    expect(() => toolArguments({ text: 5, hasEnded: true } as never)).toThrow("received.text must be a string; got 5");
    expect(() => classify("x", null as never)).toThrow("context must be an object; got null");
    expect(() => classify("x", { provider: 5 } as never)).toThrow("context.provider must be a string; got 5");
    expect(() => classify("x", { rules: 5 } as never)).toThrow("context.rules must be an array; got 5");
    expect(() => systemPorts(5 as never)).toThrow("overrides must be an object; got 5");
    expect(() => createContentCheck(null as never)).toThrow("options must be an object; got null");
    expect(() => createContentCheck({ limit: 5 } as never)).toThrow("options.limit must be omitted");
    expect(() => definePolicy({}, 5 as never)).toThrow("base must be a policy made by definePolicy; got 5");
    const jittered = schedule({ type: "fixed", delayMs: 5, jitter: "full" });
    expect(() => jittered.delayFor(1, {} as never)).toThrow("draw.random must be a function; got undefined");
    await expect(sleep(null as never)).rejects.toThrow("ms must be a number of milliseconds");
    await expect(sleep(1, {} as never)).rejects.toThrow("signal must be an AbortSignal; got an object");
    expect(() => stream(async function* () {}, { inspect: 3 as never })).toThrow(
      "options.inspect must be a function; got 3",
    );
    expect(() => stream(async function* () {}, { textOf: 3 as never })).toThrow(
      "options.textOf must be a function; got 3",
    );
    expect(() => stream(async function* () {}, { sink: "pipe" as never })).toThrow(
      'options.sink must be "committed", "buffered" or { retractable: (discarded) => marker }; got "pipe"',
    );
  });
});
