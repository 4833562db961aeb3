import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { describe, expect, test } from "vitest";
import type { Speech } from "../../src/providers/endpoint.ts";
import { httpLine } from "../../src/providers/line/http-line.ts";
import { oneCall } from "../../src/providers/line/one-call.ts";
import { isKeepAlive } from "../../src/providers/line/tapped.ts";
import { Waker } from "../../src/providers/line/waker.ts";
import type { ProviderEvent } from "../../src/providers/provider.ts";
import { type Simulator, startSimulator } from "../../src/simulator/http/index.ts";
import { useSimulator } from "../simulator/http/support.ts";
import { until } from "../support/until.ts";
import { ask, gather, told } from "./provider-contract.ts";
import { openProvider } from "./support.ts";

const world = useSimulator();
const NEVER = new AbortController().signal;
const baseOf = (speech: Speech, { urls }: Pick<Simulator, "urls"> = world.sim): string => {
  const { openai, anthropic, google } = urls.aiSdk;
  return speech === "anthropic" ? anthropic : speech === "google" ? google : openai;
};
const SPEECHES: readonly Speech[] = ["anthropic", "openai-responses", "openai-chat", "google"];

describe.each(SPEECHES)("%s", (speech) => {
  const stream = (model: string): Promise<readonly ProviderEvent[]> =>
    gather(openProvider({ name: "p", speech, baseUrl: baseOf(speech) }).stream(ask(model), NEVER));

  test("E17: a redirect to another origin loses the key", async () => {
    const events = told(await stream("fault-12"));
    const [first, second] = world.sim.requests;
    expect(first).toMatchObject({ listener: "main", key: "sk-t…ghij" });
    expect(second).toMatchObject({ listener: "other", key: "" });
    expect(JSON.stringify(second?.headers)).not.toContain("sk-test");
    expect(events).toMatchObject([{ type: "error", retryable: false }]);
  });

  test("E17: a redirect within the origin keeps it", async () => {
    const events = told(await stream("fault-11"));
    expect(world.sim.requests.map(({ key }) => key)).toEqual(["sk-t…ghij", "sk-t…ghij"]);
    expect(events.at(-1)).toMatchObject({ type: "finish" });
  });

  test("E17: the credential that is asked for is the one that is used", async () => {
    const provider = openProvider({ name: "p", speech, baseUrl: baseOf(speech) });
    await gather(provider.stream(ask("ok", "Hello", { credential: "p#2" }), NEVER));
    expect(world.sim.requests.map(({ key }) => key)).toEqual(["key-two"]);
  });

  test("E20: a good answer leaves its connection to the next request", async () => {
    // It answers the first request of a connection and resets the second: a reset proves that it was the same.
    const fresh = await startSimulator({ timeScale: 0.01, firstTokenMs: 0, tokenMs: 0 });
    const provider = openProvider({ name: "p", speech, baseUrl: baseOf(speech, fresh) });
    expect(told(await gather(provider.stream(ask("fault-7"), NEVER))).at(-1)).toMatchObject({ type: "finish" });
    await new Promise((resolve) => setTimeout(resolve, 50));
    const again = told(await gather(provider.stream(ask("fault-7"), NEVER)));
    await fresh.close();
    expect(again).toMatchObject([{ type: "error", retryable: true }]);
  });

  test("C1: a failure is one call: no client tries again by itself", async () => {
    await stream("overloaded-twice");
    expect(world.sim.requests).toHaveLength(1);
  });
});

test("E20: an end of the body that comes after the terminal marker is waited for, and a server that withholds it is left", async () => {
  const body = await fetch(`${world.sim.url}/v1/messages`, {
    method: "POST",
    headers: { "x-api-key": "k" },
    body: JSON.stringify({
      model: "ok",
      stream: true,
      max_tokens: 99,
      messages: [{ role: "user", content: "echo: so" }],
    }),
  }).then((response) => response.text());
  const sockets: unknown[] = [];
  const server = createServer((request, response) => {
    sockets.push(request.socket);
    response.writeHead(200, { "content-type": "text/event-stream" }).write(body);
    if (sockets.length < 3) setTimeout(() => response.end(), 30);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const provider = openProvider({ name: "p", speech: "anthropic", baseUrl: `http://127.0.0.1:${port}/v1` });
  for (let n = 0; n < 3; n += 1) {
    expect(told(await gather(provider.stream(ask("ok"), NEVER))).at(-1)).toMatchObject({ type: "finish" });
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  expect(new Set(sockets).size).toBe(1);
  await until(() => (sockets[0] as Socket).destroyed);
  server.close();
});

describe.concurrent("E15b: a complete answer succeeds even if its connection stays open or is cut", () => {
  const paths: Readonly<Record<Speech, string>> = {
    anthropic: "/v1/messages",
    "openai-chat": "/v1/chat/completions",
    "openai-responses": "/v1/responses",
    google: "/v1beta/models/ok:streamGenerateContent",
  };
  const endings = ["held open", "held open with keep-alives", "cut short"] as const;
  const cases = SPEECHES.flatMap((speech) => endings.map((ending) => [speech, ending] as const));

  test.each(cases)(
    "%s, %s",
    async (speech, ending) => {
      const real = openProvider({ name: "p", speech, baseUrl: baseOf(speech) });
      const expected = told(await gather(real.stream(ask("ok", "echo: so it is"), NEVER)));
      let body = "";
      const server = createServer(async (request, response) => {
        expect(request.url).toContain(paths[speech]);
        const sent = Buffer.concat(await request.toArray());
        // `fetch` counts the bytes itself: given the number too, that of the undici package, if another test has loaded it, refuses.
        const own = ["host", "connection", "content-length"];
        const headers = Object.entries(request.headers as Record<string, string>).filter(
          ([name]) => !own.includes(name),
        );
        const upstream = await fetch(new URL(request.url ?? "", baseOf(speech)), {
          method: "POST",
          headers,
          body: sent,
        });
        body = await upstream.text();
        const length = ending === "cut short" ? { "content-length": String(Buffer.byteLength(body) + 99) } : {};
        response.writeHead(200, { "content-type": "text/event-stream", ...length }).write(body);
        if (ending === "cut short") setTimeout(() => response.destroy(), 20);
        if (ending !== "held open with keep-alives") return;
        const timer = setInterval(() => response.write(": still here\n\n"), 100);
        response.on("close", () => clearInterval(timer));
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const { port } = server.address() as AddressInfo;
      const path = new URL(baseOf(speech)).pathname;
      const provider = openProvider({ name: "p", speech, baseUrl: `http://127.0.0.1:${port}${path}` });
      const startMs = performance.now();
      const events = told(await gather(provider.stream(ask("ok", "echo: so it is"), NEVER)));
      expect(events.at(-1)).toEqual(expected.at(-1));
      expect(events.filter(({ type }) => type === "text")).toEqual(expected.filter(({ type }) => type === "text"));
      expect(performance.now() - startMs).toBeLessThan(10_000);
      server.closeAllConnections();
      server.close();
    },
    20_000,
  );

  test("words within a text are no last words", async () => {
    const text = 'echo: {"finish_reason": "stop"} and data: [DONE]';
    const provider = openProvider({ name: "p", speech: "openai-chat", baseUrl: baseOf("openai-chat") });
    const events = told(await gather(provider.stream(ask("ok", text), NEVER)));
    expect(events.flatMap((event) => (event.type === "text" ? [event.text] : [])).join("")).toContain("[DONE]");
    expect(events.at(-1)).toMatchObject({ type: "finish" });
  });
});

describe.concurrent("E4: an error is classified by its status, whatever happens to its body", () => {
  test.each(["without end", "held", "cut"])(
    "%s",
    async (fate) => {
      let sentBytes = 0;
      const server = createServer((_, response) => {
        response.writeHead(429, { "content-type": "application/json", "retry-after": "7" });
        if (fate !== "without end") response.write('{"error":{"message":"Slow down"');
        if (fate === "cut") setTimeout(() => response.destroy(), 20);
        if (fate !== "without end") return;
        const chunk = Buffer.alloc(65_536, "x");
        const pour = (): void => {
          while (!response.destroyed && sentBytes < 500_000_000) {
            sentBytes += chunk.length;
            if (!response.write(chunk)) return void response.once("drain", pour);
          }
        };
        pour();
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const { port } = server.address() as AddressInfo;
      const provider = openProvider({ name: "p", speech: "openai-chat", baseUrl: `http://127.0.0.1:${port}/v1` });
      const [error] = told(await gather(provider.stream(ask("ok"), NEVER)));
      expect(error).toMatchObject({ type: "error", status: 429, retryable: true, headers: { "retry-after": "7" } });
      if (fate !== "without end") expect(error).toMatchObject({ message: expect.stringContaining("Slow down") });
      expect(sentBytes).toBeLessThan(50_000_000);
      server.closeAllConnections();
      server.close();
    },
    20_000,
  );
});

describe("one call", () => {
  test("C1: a second call through the same line is refused", async () => {
    const { url } = world.sim;
    const line = oneCall({ origin: url, line: httpLine, expects: "json" });
    expect((await line(`${url}/v1/models`, { headers: { authorization: "Bearer k" } })).status).toBe(200);
    await expect(line(`${url}/v1/models`)).rejects.toThrow("second HTTP call");
  });

  test("E17: a request that goes elsewhere from the start has no key", async () => {
    const { url } = world.sim;
    const line = oneCall({ origin: "https://api.example", line: httpLine, expects: "json" });
    expect((await line(`${url}/v1/models`, { headers: { "x-api-key": "k" } })).status).toBe(401);
  });

  test("E13: what wakes a reader is not lost between two reads, and an abort never", async () => {
    const waker = new Waker();
    const never = new Promise<string>(() => undefined);
    waker.wake("keep-alive");
    expect(await waker.race(never)).toBe("keep-alive");
    waker.wake("aborted");
    waker.wake("keep-alive");
    expect(await waker.race(Promise.resolve("a part"))).toBe("aborted");
    expect(await waker.race(Promise.resolve("a part"))).toBe("a part");
    const waiting = waker.race(never);
    waker.wake("keep-alive");
    expect(await waiting).toBe("keep-alive");
  });

  test("E15: only comments, pings and blank lines count as keep-alive", () => {
    const is = (text: string): boolean => isKeepAlive(Buffer.from(text));
    expect(is(": ping\n\n")).toBe(true);
    expect(is(': OPENROUTER PROCESSING\n\nevent: ping\ndata: {"type": "ping"}\n\n')).toBe(true);
    expect(is("\r\n")).toBe(true);
    expect(is("")).toBe(false);
    expect(is(": ping\n\ndata: {}\n\n")).toBe(false);
    expect(is(`: ${"x".repeat(600)}\n`)).toBe(false);
  });
});
