import { Readable } from "node:stream";
import { afterEach, describe, expect, test } from "vitest";
import { receiptOf, resilientFetch } from "../../../src/adapters/fetch/index.ts";
import { chatAnswer, sendJson, serve, type TestServer } from "./server.ts";
import { useWay, WAYS } from "./ways.ts";

const QUICK = { schedules: { general: { type: "fixed", delayMs: 1, atMost: 2 } } } as const;
let server: TestServer;
afterEach(() => server.close());

/** Fails once, then echoes. */
async function failOnce(): Promise<void> {
  server = await serve((request, response, count) =>
    count === 1 ? sendJson(response, 503, { error: "down" }) : sendJson(response, 200, chatAnswer(request.body)),
  );
}

describe("calls that are no generation", () => {
  test.each(["GET", "PUT", "DELETE"])("E4: %s is repeated, because it may be", async (method) => {
    await failOnce();
    const response = await resilientFetch(QUICK)(`${server.url}/v1/models`, { method });
    expect(response.status).toBe(200);
    expect(response.url).toBe(`${server.url}/v1/models`);
    expect(response.headers.get("x-secondwind-attempts")).toBe("2");
  });

  test.each(["POST", "PATCH"])("E4: %s is sent once, and its refusal comes back as it is", async (method) => {
    await failOnce();
    const form = new FormData();
    form.set("file", new Blob(["data"]), "a.txt");
    const response = await resilientFetch(QUICK)(`${server.url}/v1/files`, { method, body: form });
    expect(response.status).toBe(503);
    expect(await response.json()).toEqual({ error: "down" });
    expect(server.received).toHaveLength(1);
  });

  test("E4: a thread's message is not sent twice, though its path ends like Anthropic's", async () => {
    await failOnce();
    const response = await resilientFetch(QUICK)(`${server.url}/v1/threads/t1/messages`, {
      method: "POST",
      body: "{}",
    });
    expect(response.status).toBe(503);
    expect(server.received).toHaveLength(1);
  });

  test("E4: required content is not looked for in them", async () => {
    await failOnce();
    const policy = { ...QUICK, require: { text: "nowhere" } };
    expect((await resilientFetch(policy)(`${server.url}/v1/models`)).status).toBe(200);
  });
});

test("E19: in the place of the global fetch it does not call itself", async () => {
  await failOnce();
  const plain = globalThis.fetch;
  try {
    globalThis.fetch = resilientFetch(QUICK);
    expect((await fetch(`${server.url}/v1/models`)).status).toBe(200);
    expect(server.received).toHaveLength(2);
  } finally {
    globalThis.fetch = plain;
  }
});

test("E14: a fetch of the caller's own gets what the caller gave, with a signal", async () => {
  await failOnce();
  const init = { method: "POST", headers: { "X-Own": "yes" }, body: "{}", keepalive: true };
  const given: RequestInit[] = [];
  const own: typeof fetch = (input, sent = {}) => {
    given.push(sent);
    return fetch(input, sent);
  };
  await resilientFetch(QUICK, { fetch: own })(`${server.url}/v1/chat/completions`, init);
  expect(given).toHaveLength(2);
  for (const { signal, ...rest } of given) {
    expect(rest).toEqual({ ...init, redirect: "manual" });
    expect(rest.headers).toBe(init.headers);
    expect(signal).toBeInstanceOf(AbortSignal);
  }
});

describe.each(WAYS)("request bodies, by %s", (way) => {
  useWay(way);

  const send = (body: RequestInit["body"], more: RequestInit = {}): Promise<Response> =>
    resilientFetch(QUICK)(`${server.url}/v1/chat/completions`, { method: "POST", body: body ?? null, ...more });
  const JSON_BODY = '{"model":"m","text":"風"}';

  test.each([
    ["a string", () => JSON_BODY],
    ["bytes", () => new TextEncoder().encode(JSON_BODY)],
    ["a buffer", () => new TextEncoder().encode(JSON_BODY).buffer],
    ["a Blob", () => new Blob([JSON_BODY])],
    ["URLSearchParams", () => new URLSearchParams({ model: "m" })],
    ["FormData", () => new FormData()],
  ])("E14: %s is sent again", async (_, make) => {
    await failOnce();
    expect((await send(make())).status).toBe(200);
    expect(server.received).toHaveLength(2);
    expect(server.received[1]?.body.length).toBe(server.received[0]?.body.length);
  });

  test("E14: a Request is sent again with its body, method, headers and signal", async () => {
    await failOnce();
    const request = new Request(`${server.url}/v1/chat/completions`, {
      method: "POST",
      body: JSON_BODY,
      headers: { "x-own": "yes" },
    });
    expect((await resilientFetch(QUICK)(request)).status).toBe(200);
    expect(server.received.map(({ body, headers }) => [body, headers["x-own"]])).toEqual([
      [JSON_BODY, "yes"],
      [JSON_BODY, "yes"],
    ]);
  });

  test.each([
    ["a web stream", () => new Blob([JSON_BODY]).stream()],
    ["a Node stream", () => Readable.from([Buffer.from(JSON_BODY)])],
  ])("E14: %s can be read only once, so it is sent once, and the receipt says why", async (_, make) => {
    await failOnce();
    const response = await send(make() as never, { duplex: "half" } as never);
    expect(response.status).toBe(503);
    expect(server.received).toHaveLength(1);
    expect(receiptOf(response)?.warnings.join()).toMatch(/can be read only once/);
  });
});

describe.each(WAYS)("responses, by %s", (way) => {
  useWay(way);

  const get = async (policy = {}): Promise<Response> => {
    await failOnce();
    return resilientFetch({ ...QUICK, ...policy })(`${server.url}/v1/chat/completions`, { method: "POST", body: "Hi" });
  };

  test("B4: the receipt is in the headers and behind the response", async () => {
    const response = await get();
    expect(response.headers.get("x-secondwind-outcome")).toBe("succeeded");
    expect(response.headers.get("x-secondwind-attempts")).toBe("2");
    expect(receiptOf(response)).toMatchObject({ complete: true, attempts: 2, history: [{ kind: "overloaded" }, {}] });
    expect(receiptOf(new Response())).toBeUndefined();
  });

  test("B4: an answer can be read in every way that a response has, but once", async () => {
    const read: readonly (readonly [string, (response: Response) => Promise<unknown>])[] = [
      ["json", (response) => response.json()],
      ["text", async (response) => JSON.parse(await response.text())],
      ["arrayBuffer", async (response) => JSON.parse(new TextDecoder().decode(await response.arrayBuffer()))],
      ["blob", async (response) => JSON.parse(await (await response.blob()).text())],
      ["clone", (response) => response.clone().json()],
      ["body", async (response) => new Response(response.body).json()],
    ];
    for (const [name, reading] of read) {
      const response = await get();
      expect(response).toBeInstanceOf(Response);
      expect(response.bodyUsed).toBe(false);
      expect(await reading(response), name).toEqual(chatAnswer("Hi"));
      if (name === "clone") expect(await response.json()).toEqual(chatAnswer("Hi"));
      else await expect(response.text(), name).rejects.toBeInstanceOf(TypeError);
      expect(response.bodyUsed).toBe(true);
      await server.close();
    }
    await failOnce();
  });

  test("B4: the headers can be listed, looked up and changed, with the receipt among the endpoint's own", async () => {
    const { headers } = await get();
    expect(headers).toBeInstanceOf(Headers);
    const names = [...headers].map(([name]) => name);
    expect(names).toEqual([...names].sort());
    expect(names).toEqual(expect.arrayContaining(["content-type", "x-secondwind-attempts", "x-secondwind-outcome"]));
    expect([...headers.keys()]).toEqual(names);
    expect(headers.has("X-Secondwind-Outcome")).toBe(true);
    expect(headers.get("constructor")).toBeNull();
    expect(new Headers(headers).get("x-secondwind-attempts")).toBe("2");
    headers.set("x-secondwind-attempts", "9");
    expect(headers.get("x-secondwind-attempts")).toBe("9");
    expect([...headers].filter(([name]) => name === "x-secondwind-attempts")).toHaveLength(1);
  });

  test("B4: a streamed answer can be read in every way that a response has, but once", async () => {
    const events = `data: {"choices":[{"delta":{"content":"Hi"}}]}\n\ndata: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`;
    await server.close();
    server = await serve((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(events);
    });
    const body = '{"model":"m","stream":true}';
    const ask = () => resilientFetch(QUICK)(`${server.url}/v1/chat/completions`, { method: "POST", body });
    const read: readonly (readonly [string, (response: Response) => Promise<string>])[] = [
      ["text", (response) => response.text()],
      ["arrayBuffer", async (response) => new TextDecoder().decode(await response.arrayBuffer())],
      ["blob", async (response) => (await response.blob()).text()],
      ["clone", (response) => response.clone().text()],
      ["body", (response) => new Response(response.body).text()],
      [
        "iteration",
        async ({ body }) => {
          const chunks: Uint8Array[] = [];
          for await (const chunk of body ?? []) chunks.push(chunk);
          return Buffer.concat(chunks).toString();
        },
      ],
      ["Node", async (response) => Buffer.concat(await Readable.fromWeb(response.body as never).toArray()).toString()],
    ];
    for (const [name, reading] of read) {
      const response = await ask();
      expect(response).toBeInstanceOf(Response);
      expect(response.body).toBeInstanceOf(ReadableStream);
      expect([response.ok, response.status, response.bodyUsed]).toEqual([true, 200, false]);
      expect(response.url).toBe(`${server.url}/v1/chat/completions`);
      expect(await reading(response), name).toBe(events);
      if (name === "clone") expect(await response.text()).toBe(events);
      else await expect(response.text(), name).rejects.toBeInstanceOf(TypeError);
      expect(response.bodyUsed, name).toBe(true);
      expect(receiptOf(response), name).toMatchObject({ complete: true, attempts: 1 });
    }
  });

  test.each([
    ["is cut", (whole: string) => whole.slice(0, -40), 2],
    ["has an error in it", (whole: string) => whole.replace(/}$/, ',"error":{"code":"server_error"}}'), 2],
    ["is whole", (whole: string) => whole, 1],
  ])("E15b: an answer of a megabyte that %s is judged like a small one", async (_, change, attempts) => {
    await server.close();
    const whole = JSON.stringify(chatAnswer("x}".repeat(500_000)));
    server = await serve((_, response, count) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(count === 1 ? change(whole) : whole);
    });
    const response = await resilientFetch(QUICK)(`${server.url}/v1/chat/completions`, { method: "POST", body: "{}" });
    expect(receiptOf(response)).toMatchObject({ complete: true, attempts });
    expect(await response.text()).toBe(whole);
  });

  test("E16: an answer without the required text is asked for again", async () => {
    server = await serve((_, response, count) => sendJson(response, 200, chatAnswer(count === 1 ? "No" : '{"a":1}')));
    const response = await resilientFetch({ ...QUICK, require: { text: "{" } })(`${server.url}/v1/chat/completions`, {
      method: "POST",
      body: '{"model":"m"}',
    });
    expect(await response.text()).toContain('{\\"a\\":1}');
    expect(server.received).toHaveLength(2);
  });

  test.each([
    ["an HTML page", "<html>Sign in</html>", "text/html"],
    ["nothing", "", "application/json"],
    ["half of its JSON", '{"choices":[', "application/json"],
    ["null", "null", "application/json"],
    ["JSON that is no answer", '{"ok":true}', "application/json"],
  ])("E15b: HTTP 200 with %s is no answer: it is asked for again, then an error", async (_, body, type) => {
    server = await serve((_request, response) => {
      response.writeHead(200, { "content-type": type });
      response.end(body);
    });
    const asked = resilientFetch(QUICK)(`${server.url}/v1/chat/completions`, { method: "POST", body: "{}" });
    const response = await asked;
    expect(response.status).toBe(502);
    expect(response.headers.get("x-should-retry")).toBe("false");
    expect(server.received).toHaveLength(3);
  });

  test("E15b: an error inside HTTP 200 comes back with the status that it deserves", async () => {
    const error = { error: { message: "Rate limit reached. Please try again in 20s.", type: "rate_limit_error" } };
    server = await serve((_, response) => sendJson(response, 200, error));
    const policy = { ...QUICK, maxDelayMs: 1000 };
    const response = await resilientFetch(policy)(`${server.url}/v1/chat/completions`, { method: "POST", body: "{}" });
    expect([response.status, await response.json()]).toEqual([429, error]);
    expect(response.headers.get("retry-after")).toBe("20");
    expect(server.received).toHaveLength(1);
  });

  test("E13: a connection that is refused rejects as fetch does, with the receipt behind the error", async () => {
    await failOnce();
    await server.close();
    const asked = resilientFetch(QUICK)(`${server.url}/v1/chat/completions`, { method: "POST", body: "{}" });
    const error: unknown = await asked.catch((problem: unknown) => problem);
    expect(error).toMatchObject({ name: "SecondwindError", reason: "retries-exhausted", failure: { kind: "network" } });
    expect(receiptOf(error)?.attempts).toBe(3);
    await failOnce();
  });
});
