// The clients, in a process of their own: raw keep-alive sockets, prepared requests, as little parsing as tells an answer's end.
import { Connection } from "./connection.mjs";

const requestOf = ({ headers }, fields) => {
  const messages = [{ role: "user", content: "Why is the sky blue? ".repeat(20) }];
  const body = JSON.stringify({ model: "bench", messages, ...fields });
  const lines = Object.entries({ ...headers, "content-length": body.length }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return Buffer.from(`POST /v1/chat/completions HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${body}`);
};
const SHORT_STREAM = { model: "every-1ms", stream: true, max_tokens: 2 };
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const open = (port, count) => Array.from({ length: count }, () => new Connection(port));
const close = (connections) => {
  for (const connection of connections) connection.close();
};

/** As many requests as it takes, one after another on each connection; with `stream` for short streams. */
async function burst(target, { connections, ms, stream = false }) {
  const bytes = requestOf(target, stream ? SHORT_STREAM : {});
  const clients = open(target.port, connections);
  const startMs = performance.now();
  let requests = 0;
  const drive = async (client) => {
    while (performance.now() - startMs < ms) {
      await client.ask(bytes);
      requests += 1;
    }
  };
  await Promise.all(clients.map(drive)).finally(() => close(clients));
  return { requests, elapsedMs: performance.now() - startMs };
}

/** Requests at a fixed pace, whether or not the earlier ones are answered. */
async function paced(target, { perSecond, ms }) {
  const bytes = requestOf(target, {});
  const idle = open(target.port, 4);
  const clients = [...idle];
  const answers = [];
  const ask = async () => {
    let client = idle.pop();
    if (client === undefined) {
      client = new Connection(target.port);
      clients.push(client);
    }
    const { totalMs } = await client.ask(bytes);
    idle.push(client);
    return totalMs;
  };
  const startMs = performance.now();
  for (let sent = 0; sent < (perSecond * ms) / 1000; sent++) {
    const waitMs = startMs + (sent * 1000) / perSecond - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    answers.push(ask());
  }
  const times = await Promise.all(answers).finally(() => close(clients));
  return { p50Ms: median(times) };
}

/** So many streams at once, started over one pause between tokens. */
async function streams(target, { count, tokens, everyMs }) {
  const bytes = requestOf(target, { model: `every-${everyMs}ms`, stream: true, max_tokens: tokens });
  const clients = open(target.port, count);
  const drive = async (client, index) => {
    await new Promise((resolve) => setTimeout(resolve, (index * everyMs) / count));
    return client.ask(bytes);
  };
  await Promise.all(clients.map(drive)).finally(() => close(clients));
  return { tokens: count * tokens };
}

/** Short streams one after another: the time to the first token. */
async function first(target, { count }) {
  const bytes = requestOf(target, SHORT_STREAM);
  const client = new Connection(target.port);
  const times = [];
  for (let i = 0; i < count; i++) times.push((await client.ask(bytes)).firstMs);
  client.close();
  return { p50Ms: median(times) };
}

/** Opens streams that stay open; answers when each has had its first token. */
let held = [];
async function hold(target, { count }) {
  const bytes = requestOf(target, { model: "hold", stream: true });
  held = open(target.port, count);
  const opened = (client) =>
    new Promise((resolve, reject) =>
      client.ask(bytes, resolve).then(() => reject(new Error("A stream ended")), reject),
    );
  await Promise.all(held.map(opened));
  return {};
}

async function release() {
  close(held);
  held = [];
  return {};
}

const COMMANDS = { burst, paced, streams, first, hold, release };
process.on("message", async ({ id, command, target, ...options }) => {
  if (COMMANDS[command] === undefined) return;
  try {
    process.send({ id, ...(await COMMANDS[command](target, options)) });
  } catch (error) {
    process.send({ id, error: error.message });
  }
});
process.send({ port: 0 });
