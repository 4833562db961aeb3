import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { brotliCompressSync, createGzip, deflateSync, gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { classify } from "../../src/kernel/index.ts";
import { httpLine, openHttpLine } from "../../src/providers/line/http-line.ts";
import type { Answer } from "../../src/providers/line/line.ts";
import { until } from "../support/until.ts";

const servers: { close(): unknown }[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function serve(listener: RequestListener): Promise<{ readonly server: Server; readonly url: URL }> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  return { server, url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/x?y=1`) };
}

const problemOf = async (promise: Promise<unknown>): Promise<Error & { readonly code?: string }> =>
  promise.then(
    () => expect.unreachable(),
    (problem: Error) => problem,
  );

async function firstChunk({ body }: Answer): Promise<{ readonly text: string; rest(): Promise<string> }> {
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  const text = Buffer.from((await reader.read()).value ?? []).toString();
  const rest = async (): Promise<string> => {
    let more = "";
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      more += Buffer.from(next.value).toString();
    }
    return more;
  };
  return { text, rest };
}

test("E17: sends the request and returns the response unchanged", async () => {
  const { url } = await serve((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      response.writeHead(
        299,
        "Odd",
        [
          ["X-One", "1"],
          ["set-cookie", "a=1"],
          ["set-cookie", "b=2"],
        ].flat(),
      );
      response.end(JSON.stringify({ method: request.method, path: request.url, headers: request.headers, body }));
    });
  });
  const answer = await httpLine(url, { method: "POST", headers: { "x-api-key": "k" }, body: "né" });
  expect(answer).toMatchObject({ ok: true, status: 299, statusText: "Odd" });
  expect(answer.headers.get("x-ONE")).toBe("1");
  expect(answer.headers.get("set-cookie")).toBe("a=1, b=2");
  expect(await answer.json()).toMatchObject({
    method: "POST",
    path: "/v1/x?y=1",
    body: "né",
    headers: { "x-api-key": "k", "content-length": "3", accept: "*/*" },
  });
});

test("E17: a status that no standard knows is an answer like any other", async () => {
  const { url } = await serve((_, response) => response.writeHead(999).end("no"));
  const answer = await httpLine(url, {});
  expect(answer).toMatchObject({ ok: false, status: 999 });
  expect(await answer.text()).toBe("no");
});

test("E17: returns a redirect instead of following it, because only the caller knows which origin may get the key", async () => {
  const { url } = await serve((_, response) => response.writeHead(307, { location: "/elsewhere" }).end());
  expect((await httpLine(url, {})).headers.get("location")).toBe("/elsewhere");
});

describe("E17: what comes compressed, though it was not asked for, is read", () => {
  test.each([
    ["gzip", gzipSync],
    ["x-gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
  ] as const)("%s", async (encoding, compress) => {
    const { url } = await serve((_, response) => {
      response.writeHead(200, { "content-encoding": encoding }).end(compress("good news"));
    });
    expect(await (await httpLine(url, {})).text()).toBe("good news");
  });

  test("event by event, and a cut is a cut", async () => {
    let cut = (): void => undefined;
    const { url } = await serve((_, response) => {
      response.writeHead(200, { "content-encoding": "gzip" });
      const gzip = createGzip();
      gzip.pipe(response);
      gzip.write("first");
      gzip.flush();
      cut = () => response.destroy();
    });
    const { text, rest } = await firstChunk(await httpLine(url, {}));
    expect(text).toBe("first");
    cut();
    expect(classify(await problemOf(rest()))).toMatchObject({ retryable: true });
  });
});

describe("E17: faults of the network", () => {
  test("a refused connection is a network fault, at one address or at all addresses of a name", async () => {
    const { server, url } = await serve(() => undefined);
    server.close();
    for (const host of ["127.0.0.1", "localhost"]) {
      url.hostname = host;
      expect(classify(await problemOf(httpLine(url, {})))).toMatchObject({ kind: "network", code: "ECONNREFUSED" });
    }
  });

  test("a connection that is cut is a network fault, not an abort", async () => {
    let cut = (): void => undefined;
    const { url } = await serve((_, response) => {
      response.write("half");
      cut = () => response.destroy();
    });
    const { text, rest } = await firstChunk(await httpLine(url, {}));
    expect(text).toBe("half");
    cut();
    expect(classify(await problemOf(rest()))).toMatchObject({ kind: "network", retryable: true });
  });

  test("a body shorter than its length is broken", async () => {
    const { url } = await serve((_, response) => {
      response.writeHead(200, { "content-length": "10" }).write("half");
      setTimeout(() => response.destroy(), 20);
    });
    const answer = await httpLine(url, {});
    expect(classify(await problemOf(answer.text()))).toMatchObject({ kind: "network", retryable: true });
  });

  test("times out if the TLS handshake is never answered", async () => {
    const sockets: Socket[] = [];
    const silent = createTcpServer((socket) => sockets.push(socket.resume())).listen(0, "127.0.0.1");
    servers.push({ close: () => [silent.close(), ...sockets.map((socket) => socket.destroy())] });
    await once(silent, "listening");
    // The greeting of TLS is a part of connecting, and never answered here.
    const url = new URL(`https://127.0.0.1:${(silent.address() as AddressInfo).port}/`);
    const problem = await problemOf(openHttpLine(80)(url, {}));
    expect(problem).toMatchObject({ code: "ETIMEDOUT", message: `No connection to ${url.host} after 0.08 s` });
    expect(classify(problem)).toMatchObject({ retryable: true });
    await until(() => sockets.every((socket) => socket.destroyed));
  });

  test("the connect timeout does not apply once connected", async () => {
    const { url } = await serve((_, response) => void setTimeout(() => response.end("late"), 200));
    expect(await (await openHttpLine(80)(url, {})).text()).toBe("late");
  });
});

describe("E17: what is no answer is a fault, at once", () => {
  async function raw(said: string): Promise<URL> {
    const server = createTcpServer((socket) => socket.on("error", () => undefined).end(said)).listen(0, "127.0.0.1");
    servers.push(server);
    await once(server, "listening");
    return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  }

  test.each([
    ["an upgrade", "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n"],
    ["nothing", ""],
    ["another protocol", "SSH-2.0-OpenSSH_9.2\r\n"],
    ["a status that is none", "HTTP/1.1 2x0 OK\r\n\r\n"],
    ["headers without an end", `HTTP/1.1 200 OK\r\nx: ${"y".repeat(40_000)}\r\n\r\n`],
    ["a header that is none", "HTTP/1.1 200 OK\r\n\u0001: 1\r\n\r\n"],
    ["a version of its own", "HTTP/9.9 200 OK\r\n\r\n"],
    ["two ways to tell a length", "HTTP/1.1 200 OK\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\nabc"],
  ])("%s", async (_what, said) => {
    const url = await raw(said);
    const problem = await problemOf(httpLine(url, {}).then((answer) => answer.text()));
    expect(classify(problem)).toMatchObject({ kind: "network", retryable: true });
  });

  test("E2: a connection cut by the server is not reported as aborted", async () => {
    const url = await raw("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf");
    const problem = await problemOf(httpLine(url, {}).then((answer) => answer.text()));
    expect(problem.message).toBe("The connection closed before the answer was complete");
  });
});

describe("E20: an abort", () => {
  test("while TLS is loaded: nothing is sent", async () => {
    const sockets: Socket[] = [];
    const server = createTcpServer((socket) => sockets.push(socket.resume())).listen(0, "127.0.0.1");
    servers.push(server);
    await once(server, "listening");
    const controller = new AbortController();
    const url = new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const calling = problemOf(httpLine(url, { signal: controller.signal }));
    controller.abort(new Error("enough"));
    expect((await calling).message).toBe("enough");
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(sockets).toEqual([]);
  });

  const reason = new Error("enough");

  test("before it is sent: nothing is sent", async () => {
    let calls = 0;
    const { url } = await serve((_, response) => {
      calls += 1;
      response.end();
    });
    expect(await problemOf(httpLine(url, { signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(calls).toBe(0);
  });

  test.each(["before the answer", "in the middle of it"])("%s: the socket is closed", async (moment) => {
    const sockets: Socket[] = [];
    const { url } = await serve((request, response) => {
      sockets.push(request.socket);
      if (moment !== "before the answer") response.write("half");
    });
    const controller = new AbortController();
    const calling = httpLine(url, { signal: controller.signal });
    if (moment === "before the answer") {
      await until(() => sockets.length === 1);
      controller.abort(reason);
      expect(await problemOf(calling)).toBe(reason);
    } else {
      const { rest } = await firstChunk(await calling);
      controller.abort(reason);
      await problemOf(rest());
    }
    await until(() => sockets.every((socket) => socket.destroyed));
  });

  test("cancelling the body closes the socket", async () => {
    const sockets: Socket[] = [];
    const { url } = await serve((request, response) => {
      sockets.push(request.socket);
      response.write("half");
    });
    await (await httpLine(url, {})).body?.cancel();
    await until(() => sockets.every((socket) => socket.destroyed));
  });

  test("listeners do not pile up on a signal that lives longer than the call", async () => {
    const { url } = await serve((_, response) => response.end("ok"));
    const { signal } = new AbortController();
    const counts = { added: 0, removed: 0 };
    const { addEventListener, removeEventListener } = signal;
    Object.assign(signal, {
      addEventListener: (...args: Parameters<typeof addEventListener>) => {
        counts.added += 1;
        addEventListener.apply(signal, args);
      },
      removeEventListener: (...args: Parameters<typeof removeEventListener>) => {
        counts.removed += 1;
        removeEventListener.apply(signal, args);
      },
    });
    for (let n = 0; n < 20; n += 1) await (await httpLine(url, { signal })).text();
    await until(() => counts.removed === 20);
    expect(counts.added).toBe(20);
  });
});

test("E13: a body is read no faster than it is wanted", async () => {
  const chunk = Buffer.alloc(65_536, "x");
  let sent = 0;
  const { url } = await serve((_, response) => {
    const send = (): void => {
      while (sent < 400) {
        sent += 1;
        if (!response.write(chunk)) return void response.once("drain", send);
      }
      response.end();
    };
    send();
  });
  const answer = await httpLine(url, {});
  await new Promise((resolve) => setTimeout(resolve, 200));
  // What the kernels' buffers hold is gone; the rest waits.
  expect(sent).toBeLessThan(300);
  expect((await answer.arrayBuffer()).byteLength).toBe(400 * chunk.length);
});
