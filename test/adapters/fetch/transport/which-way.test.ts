import { runInNewContext } from "node:vm";
import { Agent, MockAgent } from "undici";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { resilientFetch } from "../../../../src/adapters/fetch/index.ts";
import { learnWays } from "../../../../src/adapters/fetch/transport/dispatcher/learn-ways.ts";
import { isPlatformFetch } from "../../../../src/adapters/fetch/transport/is-platform-fetch.ts";
import { chatAnswer, sendJson, serve, type TestServer } from "../server.ts";
import { learnLoopback, replaceDispatcher, WayCounter } from "../ways.ts";

const platformFetch = globalThis.fetch;
const counter = new WayCounter();
let server: TestServer;
let chat = "";

beforeAll(async () => {
  await learnLoopback();
  server = await serve((_, response) => sendJson(response, 200, chatAnswer("Hi")));
  chat = `${server.url}/v1/chat/completions`;
  counter.take();
});
afterEach(() => {
  vi.restoreAllMocks();
  globalThis.fetch = platformFetch;
  counter.take();
});
afterAll(async () => {
  counter.stop();
  await server.close();
});

const BY_DISPATCHER = { dispatcher: 1, "plain fetch": 0 };
const BY_FETCH = { dispatcher: 0, "plain fetch": 1 };

async function ask(fetch = resilientFetch({ enabled: false }), init: RequestInit = {}, url = chat): Promise<string> {
  const response = await fetch(url, { method: "POST", body: '{"model":"m"}', ...init });
  return response.text();
}

describe("what goes straight to the dispatcher", () => {
  test.each<[string, RequestInit]>([
    ["a text", {}],
    ["bytes", { body: new TextEncoder().encode("{}") }],
    ["a method in lower case", { method: "post" }],
    ["a signal", { signal: new AbortController().signal }],
    ["an option that is not set", { cache: undefined } as unknown as RequestInit],
    ["redirects as they come", { redirect: "manual" }],
  ])("E14: a generation with %s", async (_, init) => {
    expect(await ask(undefined, init)).toContain("Hi");
    expect(counter.take()).toEqual(BY_DISPATCHER);
  });

  test("E14: a generation when ours is in the place of the global fetch", async () => {
    globalThis.fetch = resilientFetch();
    await ask(globalThis.fetch as ReturnType<typeof resilientFetch>);
    expect(counter.take()).toEqual(BY_DISPATCHER);
  });
});

describe("what is left to fetch", () => {
  test("E14: the first generation to a host, which fetch is asked about meanwhile", async () => {
    // Any name of the loopback will do that nothing else in the tests uses.
    const url = `http://127.0.0.77:${new URL(chat).port}/v1/messages`;
    const calls: unknown[] = [];
    for (let call = 0; call < 3; call += 1) {
      await ask(undefined, {}, url).catch(() => undefined);
      calls.push(counter.take());
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(calls).toEqual([BY_FETCH, BY_DISPATCHER, BY_DISPATCHER]);
  });

  test.each<[string, RequestInit]>([
    ["an option that we don't know", { keepalive: true }],
    ["a cache mode", { cache: "no-store" } as unknown as RequestInit],
    ["a body of another kind", { body: new Blob(["{}"]) }],
    ["a form", { body: new URLSearchParams({ a: "b" }) }],
    ["a header on which fetch acts", { headers: { range: "bytes=0-1" } }],
    ["a host of its own", { headers: { Host: "example.com" } }],
    ["redirects as errors", { redirect: "error" }],
  ])("E14: a generation with %s", async (_, init) => {
    expect(await ask(undefined, init)).toContain("Hi");
    expect(counter.take()).toEqual(BY_FETCH);
  });

  test("E14: calls that are no generation: their response is the caller's", async () => {
    await ask(undefined, {}, `${server.url}/v1/files`);
    expect(counter.take()).toEqual(BY_FETCH);
  });

  test("E14: an address with an empty query, which is sent as it is", async () => {
    await ask(undefined, {}, `${chat}?`);
    expect(counter.take()).toEqual(BY_FETCH);
  });

  test.each([
    ["a port that fetch refuses", "http://127.0.0.1:6000/v1/messages", "bad port"],
    ["a name and a password", "http://me:secret@127.0.0.1:9/v1/messages", "credentials"],
  ])("E4: %s is refused as fetch refuses it", async (_, url, why) => {
    const error: Error = await ask(undefined, {}, url).then(
      () => expect.unreachable(),
      (thrown) => thrown,
    );
    expect(`${error.message} ${(error.cause as Error | undefined)?.message}`).toContain(why);
  });

  test("E14: a generation with a dispatcher of its own", async () => {
    const agent = new Agent();
    const dispatch = vi.spyOn(agent, "dispatch");
    expect(await ask(undefined, { dispatcher: agent } as unknown as RequestInit)).toContain("Hi");
    expect(dispatch).toHaveBeenCalledTimes(1);
    await agent.close();
  });
});

describe("a global fetch that was replaced", () => {
  const patches: readonly (readonly [string, (seen: () => void) => typeof globalThis.fetch])[] = [
    [
      "a function around it, as interceptors have it",
      (seen) => (input, init) => {
        seen();
        return platformFetch(input, init);
      },
    ],
    [
      "a proxy of it",
      (seen) =>
        new Proxy(platformFetch, {
          apply(target, self, args: Parameters<typeof fetch>) {
            seen();
            return Reflect.apply(target, self, args);
          },
        }),
    ],
    [
      "a function with the text of the original, as Zone.js has it",
      (seen) => {
        const patched: typeof fetch = (input, init) => {
          seen();
          return platformFetch(input, init);
        };
        Object.assign(patched, { __zone_symbol__OriginalDelegate: platformFetch });
        vi.spyOn(Function.prototype, "toString").mockReturnValue(String(platformFetch));
        return patched;
      },
    ],
  ];

  test.each(patches)("E14: %s sees every request, if it came first", async (_, patch) => {
    let count = 0;
    globalThis.fetch = patch(() => {
      count += 1;
    });
    const ours = resilientFetch();
    await ask(ours);
    await ask(ours);
    expect(count).toBe(2);
    expect(counter.take().dispatcher).toBe(0);
  });

  test.each(patches)(
    "E14: %s sees every request from then on, if it came later, and none once it has gone",
    async (_, patch) => {
      const ours = resilientFetch();
      await ask(ours);
      expect(counter.take()).toEqual(BY_DISPATCHER);
      let count = 0;
      globalThis.fetch = patch(() => {
        count += 1;
      });
      await ask(ours);
      expect(count).toBe(1);
      vi.restoreAllMocks();
      globalThis.fetch = platformFetch;
      await ask(ours);
      expect(count).toBe(1);
      expect(counter.take()).toEqual({ dispatcher: 1, "plain fetch": 1 });
    },
  );

  test("E14: a spy sees every request", async () => {
    const spy = vi.spyOn(globalThis, "fetch");
    await ask();
    expect(spy).toHaveBeenCalledTimes(1);
  });

  test("E14: only Node's own counts as the platform's", () => {
    expect(isPlatformFetch(platformFetch)).toBe(true);
    for (const other of [undefined, platformFetch.bind(globalThis), () => undefined, new Proxy(platformFetch, {})])
      expect(isPlatformFetch(other)).toBe(false);
    expect(isPlatformFetch(Object.assign(() => undefined, { toString: () => String(platformFetch) }))).toBe(false);
    // In another context the dispatcher that is set there is not that of its `fetch`.
    const judge = runInNewContext(
      `(${isPlatformFetch
        .toString()
        .replace(/SOURCE/g, "/./")
        .replace(/MOST_MAJOR/g, "8")})`,
      {
        process,
      },
    ) as typeof isPlatformFetch;
    expect(judge(platformFetch)).toBe(false);
  });

  test("E14: what does not ask its dispatcher as fetch does is not replaced", async () => {
    expect(await learnWays(platformFetch, "https://example.com")).toMatchObject({
      textType: "text/plain;charset=UTF-8",
    });
    expect(await learnWays(async () => new Response(), "https://example.com")).toBeUndefined();
    const odd = async (_: unknown, init: unknown): Promise<Response> => {
      (init as { dispatcher: { dispatch(options: object, handler: object): void } }).dispatcher.dispatch(
        { path: "/", method: "POST", origin: "https://example.com", headers: ["a", "b"] },
        {},
      );
      return new Response();
    };
    expect(await learnWays(odd as typeof fetch, "https://example.com")).toBeUndefined();
  });
});

describe("a global dispatcher that was replaced", () => {
  let replaced: Disposable;
  const replace = (dispatcher: unknown): void => {
    replaced = replaceDispatcher(dispatcher);
  };
  afterEach(() => replaced[Symbol.dispose]());

  test("E14: another agent gets the requests, in the words of fetch", async () => {
    const agent = new Agent();
    const dispatch = vi.spyOn(agent, "dispatch");
    replace(agent);
    expect(await ask()).toContain("Hi");
    expect(await (await platformFetch(chat, { method: "POST", body: '{"model":"m"}' })).text()).toContain("Hi");
    // What undici 8 adds for mocks is the body again.
    const [ours, theirs] = dispatch.mock.calls.map(([options]) =>
      JSON.parse(JSON.stringify({ ...options, body: undefined, __mockAgentBodyForDispatch: undefined })),
    );
    expect(ours).toEqual(theirs);
    await agent.close();
  });

  test("E14: a mock agent answers, by address, headers and body", async () => {
    const agent = new MockAgent();
    agent.disableNetConnect();
    replace(agent);
    agent
      .get("http://127.0.0.1:4000")
      .intercept({
        path: "/v1/chat/completions",
        method: "POST",
        body: '{"model":"m"}',
        headers: { "user-agent": "node" },
      })
      .reply(200, JSON.stringify(chatAnswer("mocked")), {
        headers: { "content-type": "application/json", "x-mock": "1" },
      });
    const response = await resilientFetch()("http://127.0.0.1:4000/v1/chat/completions", {
      method: "POST",
      body: '{"model":"m"}',
    });
    expect(response.headers.get("x-mock")).toBe("1");
    expect(await response.json()).toEqual(chatAnswer("mocked"));
    await agent.close();
  });

  test("E4: what a dispatcher throws is a failed fetch", async () => {
    replace({
      dispatch() {
        throw new Error("closed for today");
      },
    });
    await expect(ask()).rejects.toMatchObject({ message: "fetch failed", cause: { message: "closed for today" } });
  });

  test("E14: what is no dispatcher is left to fetch", async () => {
    replace({});
    await expect(ask()).rejects.toMatchObject({ message: "fetch failed" });
  });
});
