/**
 * What clients that leave or do not read cost a gateway, beside a plain node:http pipe in the same run:
 * how long after 500 clients are killed the last connection to the provider is closed, and by how much the memory grows for 200 clients
 * that do not read their answer of 50 MB. Ends with exit code 1 if Secondwind grows by more than 64 MB.
 *
 *   node --no-warnings --import tsx bench/gateway/leaving.ts [--rounds 3] [--only secondwind] [--paused 200] [--most-mb 64] [--cold]
 *
 * `--cold`: no client leaves, and the clients that do not read are the first that the process has.
 */
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { parseArgs } from "node:util";
import type { Usage } from "./children.ts";
import { type Contestant, prepare, start } from "./contestants.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    only: { type: "string", default: "pipe,secondwind" },
    paused: { type: "string", default: "200" },
    "most-mb": { type: "string", default: "64" },
    cold: { type: "boolean", default: false },
  },
});
const NAMES = (["pipe", "secondwind"] as const).filter((name) => values.only.split(",").includes(name));
const LEAVING = 500;
const PAUSED = Number(values.paused);
const MOST_BYTES = Number(values["most-mb"]) * 1_000_000;
const TOKEN = 'data: {"choices":[{"index":0,"delta":{"content":"hello"}}]}\n\n';
const BLOCK = TOKEN.repeat(1000);
const BLOCKS = Math.ceil(50_000_000 / BLOCK.length);

const sockets = new Set<Socket>();
const moved = { bytes: 0, requests: 0 };
const provider = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    moved.requests += 1;
    response.writeHead(200, { "content-type": "text/event-stream" });
    if (Buffer.concat(chunks).includes("pour")) pour(response, BLOCKS);
    else response.write(TOKEN);
  });
});
provider.on("connection", (socket) => {
  sockets.add(socket.on("close", () => sockets.delete(socket)).on("error", () => undefined));
});

function pour(response: ServerResponse, left: number): void {
  for (let count = left; count > 0; count -= 1) {
    moved.bytes += BLOCK.length;
    if (response.write(BLOCK)) continue;
    return void response.once("drain", () => pour(response, count - 1));
  }
  response.end();
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function until(isSo: () => boolean, ms = 20_000): Promise<void> {
  const untilMs = performance.now() + ms;
  while (!isSo()) {
    if (performance.now() > untilMs) throw new Error("It takes too long");
    await pause(1);
  }
}

function ask({ target }: Contestant, model: string): Socket {
  const body = JSON.stringify({ model, stream: true, messages: [] });
  const lines = Object.entries({ ...target.headers, "content-length": String(body.length) });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const socket = connect({ port: target.port, host: "127.0.0.1" }, () =>
    socket.write(`POST /v1/chat/completions HTTP/1.1\r\n${head}\r\n${body}`),
  );
  return socket.on("error", () => undefined);
}

/** Milliseconds from the first kill to the last connection of the provider that is closed. */
async function leave(contestant: Contestant): Promise<number> {
  moved.requests = 0;
  const heard = { count: 0 };
  const clients = Array.from({ length: LEAVING }, () =>
    ask(contestant, "hold").once("data", () => {
      heard.count += 1;
    }),
  );
  await until(() => heard.count === LEAVING);
  const startedAt = performance.now();
  for (const [at, client] of clients.entries()) void (at % 2 === 0 ? client.destroy() : client.resetAndDestroy());
  await until(() => sockets.size === 0);
  return performance.now() - startedAt;
}

/** Bytes by which the process grows: at most, and what is left of that after its garbage was collected. */
async function doNotRead(contestant: Contestant): Promise<{ readonly most: number; readonly held: number }> {
  const memory = async (command: string): Promise<number> => (await contestant.child?.ask<Usage>(command))?.rss ?? 0;
  const before = await memory("collect");
  const clients = Array.from({ length: PAUSED }, () => ask(contestant, "pour").pause());
  let most = 0;
  for (let last = -1; last !== moved.bytes; ) {
    last = moved.bytes;
    await pause(500);
    most = Math.max(most, await memory("usage"));
  }
  await memory("collect");
  await pause(1000);
  const held = await memory("collect");
  for (const client of clients) client.destroy();
  await until(() => sockets.size === 0);
  return { most: most - before, held: held - before };
}

await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", 2048, resolve));
const { port } = provider.address() as AddressInfo;
await prepare("secondwind");
for (let round = 1; round <= Number(values.rounds); round += 1) {
  for (const name of NAMES) {
    const contestant = await start(name, port);
    // The first ones pay for what is compiled and allocated once.
    if (!values.cold) await leave(contestant);
    const left = values.cold ? "" : `${LEAVING} killed: closed after ${(await leave(contestant)).toFixed(0)} ms; `;
    const { most, held } = await doNotRead(contestant);
    const mib = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
    console.log(
      `round ${round} ${name.padEnd(10)} ${left}${PAUSED} x 50 MB not read: at most +${mib(most)}, held +${mib(held)}`,
    );
    if (name === "secondwind" && most > MOST_BYTES) process.exitCode = 1;
    await contestant.child?.stop();
  }
}
provider.closeAllConnections();
provider.close();
