import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { expect, test } from "vitest";
import { startSimulator } from "../../../src/simulator/http/index.ts";
import { collect, useSimulator } from "./support.ts";

const world = useSimulator();
const LONG_KEY = "sk-proj-0123456789abcdefghijklmnop";

function ask(
  model: string,
  { stream = false, key = "key-a", signal }: { stream?: boolean; key?: string; signal?: AbortSignal } = {},
) {
  return fetch(`${world.sim.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "x-mine": "1" },
    body: JSON.stringify({ model, stream, messages: [{ role: "user", content: "Hello" }] }),
    ...(signal !== undefined && { signal }),
  });
}

test("B7: tells what was received, with which key, and how many bytes were sent", async () => {
  const text = await (await ask("ok", { key: LONG_KEY })).text();
  const [seen] = world.sim.requests;
  expect(seen).toMatchObject({
    n: 1,
    listener: "main",
    provider: "openai",
    path: "/v1/chat/completions",
    model: "ok",
    key: "sk-p…mnop",
    behaviour: "ok",
    status: 200,
    state: "done",
    body: { model: "ok" },
  });
  expect(seen?.headers["x-mine"]).toBe("1");
  expect(seen?.bytesSent).toBeGreaterThan(Buffer.byteLength(text));
  const listed = await (await fetch(`${world.sim.url}/_sim/requests`)).text();
  expect(JSON.parse(listed)).toMatchObject({ requests: [{ n: 1, key: "sk-p…mnop" }] });
  expect(listed).not.toContain(LONG_KEY);
});

test("B7: notices that a client has left in the middle of a stream", async () => {
  const abort = new AbortController();
  const response = await ask("stall-2", { stream: true, signal: abort.signal });
  const reading = response.text().catch(() => "aborted");
  expect(world.sim.requests[0]?.state).toBe("open");
  abort.abort();
  expect(await reading).toBe("aborted");
  await expect.poll(() => world.sim.requests[0]?.state).toBe("client-left");
});

test("B7: a reset forgets requests and counters", async () => {
  expect((await ask("overloaded@1")).status).toBe(503);
  expect((await ask("overloaded@1")).status).toBe(200);
  await fetch(`${world.sim.url}/_sim/reset`, { method: "POST" });
  expect(world.sim.requests).toEqual([]);
  expect((await ask("overloaded@1")).status).toBe(503);
});

test("B7: the control is for this machine only", async () => {
  const statusWith = async (headers: Readonly<Record<string, string>>): Promise<string> => {
    const socket = connect(world.sim.port, "127.0.0.1");
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`POST /_sim/reset HTTP/1.1\r\n${lines.join("")}connection: close\r\n\r\n`);
    return Buffer.concat(await collect<Buffer>(socket))
      .toString()
      .slice(9, 12);
  };
  expect(await statusWith({ host: "localhost" })).toBe("200");
  expect(await statusWith({ host: "evil.example" })).toBe("403");
  expect(await statusWith({ host: "localhost", origin: "https://evil.example" })).toBe("403");
  expect((await fetch(`${world.sim.url}/_sim/nothing`)).status).toBe(404);
  expect(await (await fetch(`${world.sim.url}/_sim/faults`)).json()).toMatchObject({
    20: { title: "reset at byte k" },
  });
});

test("B7: listens on loopback only", async () => {
  const outside = Object.values(networkInterfaces())
    .flat()
    .find((one) => one?.family === "IPv4" && !one.internal);
  if (outside === undefined) return;
  const fault = await new Promise((resolve) => {
    const socket = connect(world.sim.port, outside.address, () => resolve("connected"));
    socket.once("error", (thrown: NodeJS.ErrnoException) => resolve(thrown.code));
  });
  expect(fault).toBe("ECONNREFUSED");
});

test("B7: closes at once, with answers under way, and leaves nothing behind", async () => {
  const sim = await startSimulator({ tokenMs: 50 });
  const asks = ["stall", "silent", "fault-8", "fault-30", "fault-43", "ok-500"].map((model) =>
    fetch(`${sim.urls.openai}/chat/completions`, {
      method: "POST",
      headers: { authorization: "Bearer key" },
      body: JSON.stringify({ model, stream: true, messages: [{ role: "user", content: "Hello" }] }),
    })
      .then((response) => response.text())
      .then(() => "ended")
      .catch(() => "broken"),
  );
  await expect.poll(() => sim.requests.filter(({ state }) => state === "open").length).toBe(asks.length);
  const before = performance.now();
  await sim.close();
  expect(performance.now() - before).toBeLessThan(500);
  expect(await Promise.all(asks)).toEqual(asks.map(() => "broken"));
  expect(sim.openSockets).toBe(0);
});

test.each([
  [{ port: -1 }, "port"],
  [{ seed: 1.5 }, "seed"],
  [{ timeScale: Number.NaN }, "timeScale"],
  [{ weather: "hail" as "calm" }, "weather"],
])("B7: rejects invalid options: %j", async (options, field) => {
  await expect(startSimulator(options)).rejects.toMatchObject({ name: "InvalidInput", field });
});
