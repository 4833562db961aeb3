import { createServer as createTlsServer } from "node:https";
import { createServer, type Server, type Socket } from "node:net";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { AnswerSink } from "../../../src/gateway/upstream/connection.ts";
import { Connections, type UpstreamRequest } from "../../../src/gateway/upstream/connections.ts";
import type { Head } from "../../../src/gateway/upstream/read-head.ts";
import { passedHeaders, requestLines } from "../../../src/gateway/upstream/request-headers.ts";
import { classify } from "../../../src/kernel/index.ts";
import { selfSigned } from "../../../src/simulator/http/connect/self-signed.ts";
import { startConnectFault } from "../../../src/simulator/http/index.ts";
import { until } from "../../support/until.ts";

interface Answer {
  readonly head: Head | undefined;
  readonly body: string;
  readonly fault: unknown;
}

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A server that is told what to do with each connection and each request on it. */
async function serverOf(reply: (socket: Socket, request: string, turn: number) => void): Promise<{
  readonly origin: string;
  readonly sockets: Set<Socket>;
  readonly opened: () => number;
}> {
  const sockets = new Set<Socket>();
  let opened = 0;
  const server: Server = createServer((socket) => {
    opened++;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => undefined);
    let turn = 0;
    let held = "";
    socket.on("data", (bytes) => {
      held += bytes.toString("latin1");
      const head = held.indexOf("\r\n\r\n");
      const length = Number(/content-length: (\d+)/i.exec(held)?.[1] ?? 0);
      if (head === -1 || held.length < head + 4 + length) return;
      const request = held;
      held = "";
      reply(socket, request, ++turn);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as { port: number };
  return { origin: `http://127.0.0.1:${port}`, sockets, opened: () => opened };
}

function connectionsOfTest(): Connections {
  const connections = new Connections();
  closing.push(() => connections.destroy());
  return connections;
}

function ask(connections: Connections, request: Partial<UpstreamRequest> & { origin: string }): Promise<Answer> {
  return new Promise((resolve) => {
    let head: Head | undefined;
    let body = "";
    const sink: AnswerSink = {
      onHead: (read) => {
        head = read;
      },
      onBytes: (bytes) => {
        body += bytes.toString("latin1");
        return true;
      },
      onEnd: () => resolve({ head, body, fault: undefined }),
      onFault: (fault) => resolve({ head, body, fault }),
    };
    connections.send({ path: "/v1/x", method: "POST", headers: "", body: Buffer.from("{}"), ...request }, sink);
  });
}

const answer = (body: string, ...headers: readonly string[]): string =>
  ["HTTP/1.1 200 OK", `content-length: ${body.length}`, ...headers, "", body].join("\r\n");

describe("E13: connections to an endpoint", () => {
  test("E13: one is used again and again, and carries one request at a time", async () => {
    const server = await serverOf((socket, _, turn) => socket.write(answer(`answer ${turn}`)));
    const connections = connectionsOfTest();
    for (let turn = 1; turn <= 3; turn++) expect((await ask(connections, server)).body).toBe(`answer ${turn}`);
    expect(server.opened()).toBe(1);
    await Promise.all([ask(connections, server), ask(connections, server), ask(connections, server)]);
    expect(server.opened()).toBe(3);
  });

  test("E15b: an answer is the same at whatever byte it is split", async () => {
    const text = `HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\nHTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n6;a=b\r\n world\r\n0\r\n\r\n`;
    const server = await serverOf((socket, request) => {
      const at = Number(/split-(\d+)/.exec(request)?.[1]);
      socket.write(text.slice(0, at));
      setTimeout(() => socket.write(text.slice(at)), 2);
    });
    const connections = connectionsOfTest();
    const splits = Array.from({ length: text.length - 1 }, (_, at) => at + 1);
    const answers = await Promise.all(splits.map((at) => ask(connections, { ...server, path: `/split-${at}` })));
    expect(answers.map(({ body, fault }) => [body, fault])).toEqual(splits.map(() => ["hello world", undefined]));
  });

  test("E15b: a body without a length ends with its connection, and one with a length does not end before", async () => {
    const server = await serverOf((socket, request) => {
      const length = request.includes("/short") ? "content-length: 10\r\n" : "";
      socket.end(`HTTP/1.1 200 OK\r\n${length}\r\nhello`);
    });
    const connections = connectionsOfTest();
    expect(await ask(connections, server)).toMatchObject({ body: "hello", fault: undefined });
    const short = await ask(connections, { ...server, path: "/short" });
    expect(short).toMatchObject({ body: "hello", fault: { code: "ECONNRESET" } });
  });

  test("E15b: bytes after the end of an answer reach nobody", async () => {
    const server = await serverOf((socket, _, turn) => {
      socket.write(answer(`answer ${turn}`) + answer("not asked for"));
    });
    const connections = connectionsOfTest();
    for (let turn = 0; turn < 3; turn++) expect((await ask(connections, server)).body).toBe("answer 1");
    expect(server.opened()).toBe(3);
  });

  test("E15b: what a server sends without being asked closes the connection", async () => {
    const server = await serverOf((socket) => {
      socket.write(answer("one"));
      setTimeout(() => socket.write(answer("not asked for")), 20);
    });
    const connections = connectionsOfTest();
    expect((await ask(connections, server)).body).toBe("one");
    await until(() => server.sockets.size === 0);
    expect((await ask(connections, server)).body).toBe("one");
  });

  test("E4: after a stale connection the next request gets a new one", async () => {
    const server = await serverOf((socket, _, turn) => {
      if (turn === 1) socket.write(answer("fresh"));
      else socket.destroy();
    });
    const connections = connectionsOfTest();
    await Promise.all([ask(connections, server), ask(connections, server), ask(connections, server)]);
    expect((await ask(connections, server)).fault).toMatchObject({ code: "ECONNRESET" });
    expect((await ask(connections, server)).body).toBe("fresh");
  });

  test("E4: a connection that the server wants to close soon is not used then", async () => {
    const server = await serverOf((socket) => socket.write(answer("one", "keep-alive: timeout=1")));
    const connections = connectionsOfTest();
    await ask(connections, server);
    await ask(connections, server);
    expect(server.opened()).toBe(2);
  });

  test("E13: closing one ends its request, and an idle one is closed with the rest", async () => {
    const server = await serverOf((socket, request) => {
      if (!request.includes("/hold")) socket.write(answer("one"));
    });
    const connections = connectionsOfTest();
    await ask(connections, server);
    const held = ask(connections, { ...server, path: "/hold" });
    await until(() => server.sockets.size === 1);
    connections.destroy();
    expect((await held).fault).toMatchObject({ code: "ECONNRESET" });
    await until(() => server.sockets.size === 0);
  });

  test("E13: a large request arrives whole, and an answer that comes before its end is taken", async () => {
    const large = Buffer.alloc(3_000_000, "x");
    const server = await serverOf((socket, request) => socket.write(answer(String(request.length > large.length))));
    const connections = connectionsOfTest();
    expect((await ask(connections, { ...server, body: large })).body).toBe("true");
    const eager = await serverOf(() => undefined);
    const early = ask(connections, { ...eager, body: large });
    await until(() => eager.sockets.size > 0);
    for (const socket of eager.sockets) socket.write(answer("too large", "connection: close"));
    expect((await early).body).toBe("too large");
  });

  test("E13: a connection whose answer came before its request was sent carries no other", async () => {
    const server = await serverOf((socket) => socket.write(answer("one")));
    const connections = connectionsOfTest();
    expect((await ask(connections, server)).body).toBe("one");
    const [kept] = server.sockets;
    // In a timer, and in one step: it is read before the end of the turn, when the request would be written.
    await new Promise((resolve) => setTimeout(resolve, 1));
    kept?.write(answer("unasked"));
    expect((await ask(connections, server)).body).toBe("unasked");
    expect((await ask(connections, server)).body).toBe("one");
    expect(server.opened()).toBe(2);
  });

  test("E13: nothing in a header or path can make another request", () => {
    const connections = connectionsOfTest();
    const request = { origin: "http://127.0.0.1:9", path: "/", method: "POST", headers: "", body: null };
    for (const value of ["a\r\nx: y", "a\nb", "a\rb", "a\0"]) {
      const sink = {} as AnswerSink;
      const ofClient = passedHeaders(["x-a", value]);
      expect(() => requestLines(ofClient, { format: "openai", keepsAccount: true })).toThrow(TypeError);
      const withKey = { format: "openai", keepsAccount: true, key: value } as const;
      expect(() => requestLines(passedHeaders([]), withKey)).toThrow(TypeError);
      expect(() => requestLines(passedHeaders([value, "b"]), { ...withKey, key: "k" })).toThrow(TypeError);
      expect(() => connections.send({ ...request, path: `/${value}` }, sink)).toThrow(TypeError);
    }
  });

  test("E4: a refused connection and a wrong certificate are faults of the network", async () => {
    const connections = connectionsOfTest();
    for (const fault of [
      { type: "connection-refused" },
      { type: "tls" },
      { type: "tls", flaw: "no-tls" },
      { type: "tls", flaw: "reset" },
    ] as const) {
      const server = await startConnectFault(fault);
      closing.push(() => server.close());
      const { fault: found } = await ask(connections, { origin: new URL(server.url).origin });
      expect(classify(found)).toMatchObject({ kind: "network" });
    }
  });

  test("E13: requests over TLS share their connection as well", async () => {
    const { key, cert } = selfSigned("localhost", new Date(Date.now() - 1e7), new Date(Date.now() + 1e7));
    const large = "x".repeat(200_000);
    let opened = 0;
    const server = createTlsServer({ key, cert }, (_, response) => response.end(large));
    server.on("secureConnection", () => opened++);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    closing.push(() => server.close());
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
    closing.push(() => vi.unstubAllEnvs());
    const connections = connectionsOfTest();
    const origin = `https://127.0.0.1:${(server.address() as { port: number }).port}`;
    for (let turn = 0; turn < 3; turn++) {
      const { body, fault } = await ask(connections, { origin });
      expect([body.length, fault]).toEqual([large.length, undefined]);
    }
    expect(opened).toBe(1);
    connections.destroy();
  });
});
