import { createServer, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { createGateway } from "../../src/gateway/index.ts";
import { until } from "../support/until.ts";
import { askRaw, openSocket, type RawAnswer, readAnswer } from "./support/raw-request.ts";
import { endpointsAt, QUICK } from "./support/start-gateway.ts";

const WHOLE = JSON.stringify({ choices: [{ index: 0, message: { content: "yes, déjà" }, finish_reason: "stop" }] });
const EVENTS = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: "yes" }, finish_reason: null }] })}\n\n`;
const END = `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })}\n\ndata: [DONE]\n\n`;

async function portOf(listener: RequestListener, options: object = {}): Promise<number> {
  const server = createServer(options, listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

/** An endpoint that answers a whole body or a stream, with or without a date. */
async function endpoint(hasDate: boolean): Promise<number> {
  return portOf((request, response) => {
    let text = "";
    request.on("data", (chunk) => {
      text += chunk;
    });
    request.on("end", () => {
      response.sendDate = hasDate;
      response.setHeader("X-Of-Endpoint", "one; two");
      response.setHeader("set-cookie", ["a=1", "b=2"]);
      const isStream = text.includes('"stream":true');
      response.setHeader("content-type", isStream ? "text/event-stream" : "application/json");
      if (!isStream) return void response.end(WHOLE);
      response.write(EVENTS);
      setTimeout(() => response.end(END), 5);
    });
  });
}

type Change = (response: ServerResponse) => void;

async function gatewayPort(upstream: number, change: Change, options: object = {}): Promise<number> {
  const gateway = createGateway({ policy: QUICK, endpoints: endpointsAt(`http://127.0.0.1:${upstream}`) });
  onTestFinished(() => gateway.close());
  return portOf((request, response) => {
    change(response);
    gateway.handle(request, response);
  }, options);
}

const ask = (port: number, stream: boolean, isKept = true): Promise<RawAnswer> =>
  askRaw(port, "/v1/chat/completions", { body: { model: "m", stream }, isKept });

/** What differs from answer to answer. */
function comparable({ status, headers, body, isWhole, trailers }: RawAnswer): object {
  const { date = "none", "x-secondwind-id": id = "none", ...others } = headers;
  return { status, others, isWhole, trailers, body: body.toString(), hasDate: date !== "none", hasId: id !== "none" };
}

describe("E14: the head of an answer", () => {
  for (const stream of [false, true])
    for (const hasDate of [true, false]) {
      const what = `${stream ? "a stream" : "a whole answer"} ${hasDate ? "with" : "without"} a date`;
      test(`E14: is the same whether the gateway or Node writes it, for ${what}`, async () => {
        const upstream = await endpoint(hasDate);
        const own = await ask(await gatewayPort(upstream, () => undefined), stream);
        // A wrapped response is left to Node.
        const wrapped = await gatewayPort(upstream, (response) => {
          response.writeHead = response.writeHead.bind(response) as typeof response.writeHead;
        });
        expect(comparable(own)).toEqual(comparable(await ask(wrapped, stream)));
        expect(own.head.match(/^set-cookie: /gim)).toHaveLength(2);
        expect(own.head.match(/^date: /gim)).toHaveLength(1);
        expect(own.headers).toMatchObject({ connection: "keep-alive", "keep-alive": "timeout=5" });
      });
    }

  test("E14: has what the server has set before, and closes where the server closes", async () => {
    const upstream = await endpoint(true);
    const set = await gatewayPort(upstream, (response) => response.setHeader("x-of-server", "yes"));
    const limited = await gatewayPort(upstream, (response) => {
      const { socket } = response;
      if (socket !== null)
        (socket as unknown as { server: { maxRequestsPerSocket: number } }).server.maxRequestsPerSocket = 1;
    });
    for (const stream of [false, true]) {
      expect((await ask(set, stream)).headers).toMatchObject({ "x-of-server": "yes" });
      expect((await ask(limited, stream, false)).headers).toMatchObject({ connection: "close" });
    }
  });

  test("E14: a server without a keep-alive limit names none", async () => {
    const port = await gatewayPort(await endpoint(true), () => undefined, { keepAliveTimeout: 0 });
    for (const stream of [false, true]) expect((await ask(port, stream)).headers["keep-alive"]).toBeUndefined();
  });

  test("E14: the response has ended, with its status, when the answer is written", async () => {
    const seen: string[] = [];
    const port = await gatewayPort(await endpoint(true), (response) => {
      for (const event of ["finish", "close"])
        response.on(event, () => seen.push(`${event} ${response.statusCode} ${response.headersSent}`));
    });
    for (const stream of [false, true]) {
      await ask(port, stream);
      await until(() => seen.length === 2);
      expect(seen.splice(0)).toEqual(["finish 200 true", "close 200 true"]);
    }
  });
});

describe("E18: the headers of requests on one connection", () => {
  test("E18: are read anew when they differ, and the length may differ", async () => {
    const port = await gatewayPort(await endpoint(true), () => undefined);
    const request = (model: string, more: string): string => {
      const body = JSON.stringify({ model });
      return `POST /v1/chat/completions HTTP/1.1\r\nhost: a\r\n${more}content-length: ${body.length}\r\n\r\n${body}`;
    };
    let bytes = Buffer.alloc(0);
    const socket = openSocket(port, Buffer.alloc(0));
    socket.on("data", (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
    });
    const next = async (text: string): Promise<RawAnswer> => {
      bytes = Buffer.alloc(0);
      socket.write(text);
      await until(() => bytes.includes("\r\n\r\n") && readAnswer(bytes).isWhole);
      return readAnswer(bytes);
    };
    const id = (name: string): string => `x-secondwind-id: ${name}\r\n`;
    expect((await next(request("m", id("one")))).headers["x-secondwind-id"]).toBe("one");
    expect((await next(request("another", id("one")))).headers["x-secondwind-id"]).toBe("one");
    expect((await next(request("m", id("two")))).headers["x-secondwind-id"]).toBe("two");
    expect((await next(request("m", id("not valid")))).status).toBe(400);
    expect((await next(request("m", id("not valid")))).status).toBe(400);
    expect(await next(request("m", ""))).toMatchObject({ status: 200 });
    socket.destroy();
  });
});
