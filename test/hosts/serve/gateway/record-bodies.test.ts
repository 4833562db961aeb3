import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { accessFilePath, addAccessKey } from "../../../../src/credentials/index.ts";
import { BodyFolder } from "../../../../src/hosts/serve/gateway/bodies/body-folder.ts";
import { chatAnswer, sendJson } from "../../../adapters/fetch/server.ts";
import { openSocket, requestBytes } from "../../../gateway/support/raw-request.ts";
import { until } from "../../../support/until.ts";
import { newFolder } from "../support/test-server.ts";
import { type GatewayServer, startGatewayServer } from "./gateway-server.ts";

const VAULT_KEY = "sk-vault-canary-1234567890abcdef";
const CLIENT_KEY = "sk-client-canary-0987654321fedcba";
const PATH = "/v1/chat/completions";
const STREAM = [
  'data: {"choices":[{"delta":{"content":"Hello"}}]}\n\n',
  'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
];

interface Recorded {
  readonly id?: string;
  readonly client?: string;
  readonly path: string;
  readonly request: { readonly bytes: number; readonly body: string | null; readonly note?: string };
  readonly response: Recorded["request"] & { readonly status?: number; readonly isWhole: boolean };
}

const folderOf = ({ storePath }: Pick<GatewayServer, "storePath">): string => join(dirname(storePath), "bodies");
const filesOf = (server: GatewayServer): readonly string[] =>
  existsSync(folderOf(server)) ? readdirSync(folderOf(server)).sort() : [];
const readAll = (server: GatewayServer): readonly Recorded[] =>
  filesOf(server).map((name) => JSON.parse(readFileSync(join(folderOf(server), name), "utf8")) as Recorded);

async function started(
  answer: Parameters<typeof startGatewayServer>[0],
  options: Parameters<typeof startGatewayServer>[1] = {},
): Promise<GatewayServer> {
  const home = options.home ?? newFolder();
  const env = { HOME: home, OPENAI_API_KEY: VAULT_KEY };
  return startGatewayServer(answer, { home, env, recordsBodies: true, ...options });
}

const say = (server: GatewayServer, content: string, stream = false) =>
  server.ask(PATH, {
    method: "POST",
    headers: { authorization: `Bearer ${CLIENT_KEY}` },
    body: { model: "m", stream, messages: [{ role: "user", content }] },
  });

describe("B4: --record-bodies", () => {
  test("B4: is off unless it is asked for", async () => {
    const server = await started((_, response) => sendJson(response, 200, chatAnswer("hi")), { recordsBodies: false });
    await say(server, "hello");
    await server.stop(0);
    expect(existsSync(folderOf(server))).toBe(false);
  });

  test("B4: writes the request and the answer of each generation to a file that only its owner can read", async () => {
    const server = await started((request, response) => {
      if (request.url === "/v1/models") return sendJson(response, 200, { data: [] });
      if (!request.body.includes('"stream":true')) return sendJson(response, 200, chatAnswer("Grüezi"));
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(STREAM[0]);
      setTimeout(() => response.end(STREAM[1]), 5);
    });
    const whole = await say(server, "whole → 風");
    const streamed = await say(server, "streamed", true);
    await server.ask("/v1/models");
    await server.stop(0);
    const [first, second, ...others] = readAll(server);
    expect(others).toEqual([]);
    expect(first).toMatchObject({
      id: whole.headers["x-secondwind-id"],
      path: PATH,
      response: { status: 200, isWhole: true },
    });
    expect(JSON.parse(first?.request.body ?? "")).toMatchObject({ messages: [{ content: "whole → 風" }] });
    expect(first?.response.body).toBe(whole.text);
    expect(second).toMatchObject({ id: streamed.headers["x-secondwind-id"], response: { body: STREAM.join("") } });
    expect(statSync(folderOf(server)).mode & 0o777).toBe(0o700);
    for (const [at, name] of filesOf(server).entries()) {
      expect(name).toContain([first, second][at]?.id);
      expect(statSync(join(folderOf(server), name)).mode & 0o777).toBe(0o600);
    }
  });

  test("B4: removes every key, wherever it stands, also where a body is cut", async () => {
    const server = await started((_, response, count) => {
      const text = `${VAULT_KEY} ${CLIENT_KEY} ${JSON.stringify({ inner: CLIENT_KEY })} ${Buffer.from(CLIENT_KEY).toString("base64")}`;
      if (count % 2 === 0) return sendJson(response, 401, { error: { message: `Incorrect API key: ${text}` } });
      sendJson(response, 200, chatAnswer(text));
    });
    const around = 256 * 1024 - 67;
    // Each time the limit is at another place of the keys.
    for (let at = 0; at < 40; at += 1)
      await say(server, `${"x".repeat(around - at)}${at % 2 === 0 ? CLIENT_KEY : VAULT_KEY} end`);
    await say(server, `${CLIENT_KEY} `.repeat(2000));
    await say(server, `${VAULT_KEY} and ${CLIENT_KEY}`);
    await server.stop(0);
    const all = readAll(server);
    expect(all).toHaveLength(42);
    expect(all.filter(({ request }) => request.note === "cut").length).toBeGreaterThan(30);
    const text = JSON.stringify(all);
    for (const key of [VAULT_KEY, CLIENT_KEY])
      for (let length = 8; length <= key.length; length += 1)
        expect(text.includes(key.slice(0, length)), `the first ${length} characters of a key`).toBe(false);
    expect(text).not.toContain(Buffer.from(CLIENT_KEY).toString("base64").slice(0, 12));
    expect(text).toContain("[key of the client]");
  });

  test("B4: names the client, and removes its access key", async () => {
    const home = newFolder();
    const secret = await addAccessKey(accessFilePath({ HOME: home }), "laptop");
    const server = await started((_, response) => sendJson(response, 200, chatAnswer("hi")), { home });
    const headers = { authorization: `Bearer ${secret}` };
    await server.ask(PATH, { method: "POST", headers, body: { model: "m", content: `my key is ${secret}` } });
    await server.stop(0);
    const [record] = readAll(server);
    expect(record).toMatchObject({ client: "laptop" });
    expect(JSON.stringify(record)).not.toContain(secret);
  });

  test("B4: cuts what is long, and says so; what is no text is only counted", async () => {
    const long = "words ".repeat(100_000);
    const server = await started((_, response) => sendJson(response, 200, chatAnswer(long)));
    await say(server, long);
    await server.ask(PATH, { method: "POST", headers: { "content-encoding": "zstd" }, body: "\u0000\ud800" });
    const bytes = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xff]);
    const socket = openSocket(server.port, requestBytes(PATH, { body: bytes }));
    await new Promise((resolve) => socket.resume().once("close", resolve));
    await server.stop(0);
    const records = readAll(server);
    expect(records[0]?.request).toMatchObject({ note: "cut" });
    expect(records[0]?.request.bytes).toBeGreaterThan(600_000);
    expect(records[0]?.request.body?.length).toBeLessThanOrEqual(256 * 1024);
    expect(records[0]?.response).toMatchObject({ note: "cut", isWhole: true });
    expect(records.at(-1)?.request).toEqual({ bytes: 5, body: null, note: "no text" });
  });

  test("B4: keeps what came of an answer whose client left", async () => {
    const server = await started((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(STREAM[0]);
    });
    const socket = openSocket(server.port, requestBytes(PATH, { body: { model: "m", stream: true } }));
    await new Promise((resolve) => socket.once("data", resolve));
    socket.destroy();
    await until(() => filesOf(server).length === 1);
    await server.stop(0);
    expect(readAll(server)[0]?.response).toMatchObject({ status: 200, isWhole: false, body: STREAM[0] });
  });

  test("B4: a folder that can't be written fails no request, and is reported once", async () => {
    const faults = vi.spyOn(process.stderr, "write").mockImplementation(() => true);
    onTestFinished(() => faults.mockRestore());
    const server = await started((_, response) => sendJson(response, 200, chatAnswer("hi")));
    rmSync(folderOf(server), { recursive: true });
    writeFileSync(folderOf(server), "a file");
    for (let n = 0; n < 5; n += 1) expect((await say(server, "hello")).status).toBe(200);
    await server.stop(0);
    const said = faults.mock.calls.map(([text]) => String(text)).join("");
    expect(said.match(/record-bodies/g)).toHaveLength(1);
  });

  test("B4: the folder does not grow without end: the oldest files are deleted, and nothing else", async () => {
    const path = join(newFolder(), "bodies");
    mkdirSync(path);
    writeFileSync(join(path, "mine.json"), "not ours");
    const stamp = (n: number): string => `20260101T${String(n).padStart(9, "0")}Z-g${n}.json`;
    for (let n = 0; n < 995; n += 1) writeFileSync(join(path, stamp(n)), "{}");
    const faults: unknown[] = [];
    const folder = new BodyFolder(path, (fault) => faults.push(fault));
    for (let n = 995; n < 1010; n += 1) folder.write(stamp(n), "{}");
    await folder.flushed();
    expect(readdirSync(path)).toHaveLength(1001);
    expect([
      existsSync(join(path, stamp(9))),
      existsSync(join(path, stamp(10))),
      existsSync(join(path, "mine.json")),
    ]).toEqual([false, true, true]);
    for (let n = 2000; n < 2005; n += 1) folder.write(stamp(n), "x".repeat(20 * 1024 * 1024));
    await folder.flushed();
    const left = readdirSync(path).filter((name) => name !== "mine.json");
    expect(left).toEqual([2002, 2003, 2004].map(stamp));
    expect(faults).toEqual([]);
  });
});
