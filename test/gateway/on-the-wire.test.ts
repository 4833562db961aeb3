import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { until } from "../support/until.ts";
import { openSocket, type RawAnswer, readAnswer } from "./support/raw-request.ts";
import { endpointsAt, gatewayOfTest, type TestGateway } from "./support/start-gateway.ts";

const answerTo = (model: string): string =>
  JSON.stringify({ choices: [{ index: 0, message: { content: `to ${model}, déjà` }, finish_reason: "stop" }] });

/** Answers with what was asked for. The one to `first` waits until the others have been answered. */
async function gatewayOf(others: number): Promise<TestGateway> {
  let answered = 0;
  const held: (() => void)[] = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const { model } = JSON.parse(text) as { model: string };
    const answer = (): void => void response.setHeader("content-type", "application/json").end(answerTo(model));
    if (model === "first") held.push(answer);
    else {
      answer();
      answered += 1;
    }
    if (answered >= others) for (const release of held.splice(0)) setImmediate(release);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return gatewayOfTest({ endpoints: endpointsAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`) });
}

function requestFor(model: string, version = "1.1", more = ""): string {
  const body = JSON.stringify({ model, messages: [] });
  const head = `POST /v1/chat/completions HTTP/${version}\r\nhost: 127.0.0.1\r\nauthorization: Bearer k\r\n${more}`;
  return `${head}content-length: ${body.length}\r\n\r\n${body}`;
}

/** All whole answers in these bytes. */
function answersIn(bytes: Buffer): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let at = 0; ; ) {
    const end = bytes.indexOf("\r\n\r\n", at);
    if (end === -1) return answers;
    const { headers } = readAnswer(bytes.subarray(at, end + 4));
    const next = end + 4 + Number(headers["content-length"]);
    if (next > bytes.length) return answers;
    answers.push(readAnswer(bytes.subarray(at, next)));
    at = next;
  }
}

describe("E14: whole answers on the wire", () => {
  test("E14: requests that come together on one connection are answered in their order, each whole", async () => {
    const gateway = await gatewayOf(2);
    const models = ["first", "second", "third"];
    const socket = openSocket(gateway.port, Buffer.from(models.map((model) => requestFor(model)).join("")));
    let bytes = Buffer.alloc(0);
    socket.on("data", (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
    });
    await until(() => answersIn(bytes).length === 3);
    expect(answersIn(bytes).map(({ body }) => body.toString())).toEqual(models.map(answerTo));
    // The connection goes on.
    socket.write(requestFor("fourth"));
    await until(() => answersIn(bytes).length === 4);
    const [fourth] = answersIn(bytes).slice(3);
    expect(fourth?.body.toString()).toBe(answerTo("fourth"));
    expect(fourth?.head.match(/^date: /gim)).toHaveLength(1);
    socket.destroy();
    await until(() => gateway.gateway.inFlight === 0);
    expect(gateway.faults).toEqual([]);
  });

  test.each([
    ["of HTTP/1.0", requestFor("old", "1.0")],
    ["that asks for it", requestFor("old", "1.1", "connection: close\r\n")],
  ])("E14: for a client %s the connection is closed after the answer", async (_, request) => {
    const gateway = await gatewayOf(0);
    const chunks: Buffer[] = [];
    const socket = openSocket(gateway.port, Buffer.from(request));
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    await once(socket, "close");
    const answer = readAnswer(Buffer.concat(chunks));
    expect(answer).toMatchObject({ status: 200, isWhole: true, headers: { connection: "close" } });
    expect(answer.body.toString()).toBe(answerTo("old"));
  });

  test("E13: a client that leaves while its answer is being written leaves nothing behind", async () => {
    const gateway = await gatewayOf(0);
    let written = 0;
    const server = createServer((request, response) => {
      const { socket } = request;
      const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
      socket.write = (...args: unknown[]): boolean => {
        const keepsUp = write(...args);
        written += 1;
        response.destroy();
        return keepsUp;
      };
      gateway.gateway.handle(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
    const socket = openSocket((server.address() as AddressInfo).port, Buffer.from(requestFor("gone")));
    socket.resume();
    await once(socket, "close");
    await until(() => gateway.gateway.inFlight === 0);
    await new Promise((resolve) => setImmediate(resolve));
    expect(written).toBe(1);
    expect(gateway.faults).toEqual([]);
  });
});
