import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { until } from "../../support/until.ts";
import { startServer } from "./support/test-server.ts";

/** Everything that the server answers to these bytes, until it closes the connection or the time is over. */
function raw(port: number, bytes: string | Buffer, limitMs = 5000): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    const end = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(text);
    };
    const timer = setTimeout(end, limitMs);
    socket.on("data", (chunk) => {
      text += chunk.toString();
    });
    socket.on("close", end).on("error", end);
  });
}

describe("K6: an offer of another protocol", () => {
  const h2c = "connection: Upgrade, HTTP2-Settings\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n";

  test("K6: a request with Upgrade: h2c is served over HTTP/1.1, with its body and everything after it", async () => {
    const server = await startServer();
    const token = `x-secondwind-token: ${server.token}\r\ncontent-type: application/json\r\n`;
    const body = JSON.stringify({ weather: "storm" });
    const put = `PUT /api/weather HTTP/1.1\r\nhost: localhost\r\n${h2c}${token}content-length: ${body.length}\r\n\r\n`;
    const get = `GET /health HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`;
    const answer = await raw(server.port, `${put}${body}${get}`);
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 200"]);
    expect(answer).toContain('"weather":"storm"');
    expect(answer).toContain('"live":true');
  });

  test("K6: the guard judges such a request like any other, and a client that goes away does no harm", async () => {
    const server = await startServer();
    const forged = await raw(server.port, `GET /api/session HTTP/1.1\r\nhost: evil.example\r\n${h2c}\r\n`, 500);
    expect(forged).toMatch(/^HTTP\/1\.1 403 /);
    const slow = `POST /chat HTTP/1.1\r\nhost: localhost\r\n${h2c}content-length: 9\r\n\r\nhalf`;
    expect(await raw(server.port, slow, 100)).not.toContain("200");
    expect((await server.ask("/health")).status).toBe(200);
  });
});

describe("K6: limits", () => {
  test("K6: a body that announces too much gets 413 before it is sent, and the server goes on", async () => {
    const server = await startServer();
    const answer = await raw(
      server.port,
      `PUT /api/settings HTTP/1.1\r\nhost: localhost\r\nx-secondwind-token: ${server.token}\r\ncontent-type: application/json\r\ncontent-length: 99999999\r\n\r\n`,
      500,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('{"error":{"message":"The body must have at most 1048576 bytes"}}');
    expect((await server.ask("/health")).status).toBe(200);
  });

  test("K6: a body in chunks gets 413 once it is too large", async () => {
    const server = await startServer({ limits: { bodyBytes: 1000 } });
    const body = { text: "x".repeat(2000) };
    const headers = { "x-secondwind-token": server.token, "transfer-encoding": "chunked", "content-length": [] };
    const { status } = await server.ask("/api/settings", { method: "PUT", body, headers });
    expect(status).toBe(413);
  });

  test("K6: headers that are too large get 431", async () => {
    const server = await startServer();
    const answer = await raw(server.port, `GET / HTTP/1.1\r\nhost: localhost\r\nx: ${"y".repeat(20_000)}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    expect(answer).toContain("The headers of the request are too large");
  });

  test("K6: a request whose headers or body never end gets 408", async () => {
    const server = await startServer({ limits: { headersMs: 300, requestMs: 600 } });
    const [headers, body] = await Promise.all([
      raw(server.port, "GET / HTTP/1.1\r\nhost: localhost\r\n"),
      raw(
        server.port,
        `PUT /api/settings HTTP/1.1\r\nhost: localhost\r\nx-secondwind-token: ${server.token}\r\ncontent-type: application/json\r\ncontent-length: 10\r\n\r\n{`,
      ),
    ]);
    expect(headers).toMatch(/^HTTP\/1\.1 408 /);
    expect(body).toMatch(/^HTTP\/1\.1 408 /);
  });

  test("K6: connections beyond the limit are closed, and there is room again when others end", async () => {
    const server = await startServer({ limits: { connections: 5 } });
    const held = Array.from({ length: 5 }, () => connect(server.port, "127.0.0.1"));
    await Promise.all(held.map((socket) => new Promise((resolve) => socket.once("connect", resolve))));
    await expect(server.ask("/health")).rejects.toThrow(/ECONNRESET|socket hang up/);
    for (const socket of held) socket.destroy();
    await until(() => held.every((socket) => socket.closed));
    await expect
      .poll(() =>
        server.ask("/health").then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(200);
  });

  test("K6: sockets beyond the limit get 503; a frame that is too large closes with 1009, too many with 1008", async () => {
    const server = await startServer({ limits: { sockets: 2, frameBytes: 1000, framesPer10s: 20 } });
    const open = async (): Promise<WebSocket> => {
      const socket = new WebSocket(`ws://${server.host}/ws`);
      await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
      return socket;
    };
    const [large, many] = [await open(), await open()];
    await expect(open()).rejects.toThrow("503");
    const closed = (socket: WebSocket): Promise<number> => new Promise((resolve) => socket.once("close", resolve));
    large.send("x".repeat(1001));
    expect(await closed(large)).toBe(1009);
    for (let n = 0; n < 30; n += 1) many.send("{}");
    expect(await closed(many)).toBe(1008);
    (await open()).close();
  });

  test("K6: a socket that does not answer pings is closed", async () => {
    const server = await startServer({ limits: { pingMs: 100 } });
    const socket = new WebSocket(`ws://${server.host}/ws`, { autoPong: false });
    const other = new WebSocket(`ws://${server.host}/ws`);
    const code = await new Promise((resolve) => socket.once("close", resolve));
    expect(code).toBe(1006);
    expect(other.readyState).toBe(WebSocket.OPEN);
    other.close();
  });
});

describe("K6: input checks", () => {
  test.each([
    [
      "PUT",
      "/api/settings",
      { api_retry_max_delay: 0 },
      400,
      "api_retry_max_delay",
      /must be a number from 1 to 3600; got 0/,
    ],
    ["PUT", "/api/settings", { "serve.policy": "nope" }, 400, "serve.policy", /must be one of default, .*; got "nope"/],
    ["PUT", "/api/settings", { "serve.model": "nobody/x" }, 400, "serve.model", /of a known provider \(.*sim\)/],
    ["PUT", "/api/settings", { nothing: 1 }, 400, "config key", /must be one of api_retry_max_delay/],
    ["PUT", "/api/settings", [], 400, undefined, /The request: expected record; got an array|expected record/],
    ["POST", "/api/session", { key: 5 }, 400, "key", /^key: expected string, received number$/],
    ["PUT", "/api/settings", "{", 400, undefined, /^The body must be JSON in UTF-8$/],
    ["POST", "/api/settings", {}, 405, undefined, /^Method not allowed\. Allowed: GET, HEAD, PUT$/],
    ["POST", "/api/nothing", {}, 404, undefined, /^Not found$/],
    ["POST", "/c/abc", {}, 405, undefined, /^Method not allowed\. Allowed: GET, HEAD$/],
  ])("K6: %s %s with %j: %s, naming the field", async (method, path, body, status, field, words) => {
    const server = await startServer();
    const headers = { "x-secondwind-token": server.token };
    const answer = await server.ask(path, { method, body, headers });
    const { error } = answer.json as { readonly error: { readonly message: string; readonly field?: string } };
    expect([answer.status, error.field]).toEqual([status, field]);
    expect(error.message).toMatch(words);
    if (status === 405) expect(answer.headers.allow).toBeDefined();
  });

  test("K6: a body of another type or encoding, or in broken UTF-8, is refused", async () => {
    const server = await startServer();
    const token = { "x-secondwind-token": server.token };
    const put = (headers: Readonly<Record<string, string>>, body = "{}") =>
      server.ask("/api/settings", { method: "PUT", headers: { ...token, ...headers }, body });
    expect((await put({ "content-type": "text/plain" })).status).toBe(415);
    expect((await put({ "content-encoding": "gzip" })).status).toBe(415);
    const bytes = `PUT /api/settings HTTP/1.1\r\nhost: localhost\r\nx-secondwind-token: ${server.token}\r\ncontent-type: application/json\r\ncontent-length: 4\r\nconnection: close\r\n\r\n`;
    const broken = Buffer.concat([Buffer.from(bytes), Buffer.from([0x22, 0xff, 0xfe, 0x22])]);
    expect(await raw(server.port, broken)).toMatch(/^HTTP\/1\.1 400 /);
  });
});
