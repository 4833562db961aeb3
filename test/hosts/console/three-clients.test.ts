import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { describe, expect, test } from "vitest";
import type { Ports } from "../../../src/kernel/index.ts";
import type { Speech } from "../../../src/providers/endpoint.ts";
import { systemPorts } from "../../../src/system/index.ts";
import { openProvider } from "../../providers/support.ts";
import { useSimulator } from "../../simulator/http/support.ts";
import { until } from "../../support/until.ts";
import { ConsoleWorld, ScriptedInput } from "./console-world.ts";

const simulated = useSimulator();

interface Client {
  readonly name: "anthropic" | "openai" | "google";
  readonly speech: Speech;
}

const CLIENTS: readonly Client[] = [
  { name: "anthropic", speech: "anthropic" },
  { name: "openai", speech: "openai-responses" },
  { name: "google", speech: "google" },
];

/** Real sockets, but waits that are only written down. One that is not to end sleeps for ever. */
function quickPorts(waitedMs: number[], endless = Number.POSITIVE_INFINITY): Ports {
  const real = systemPorts();
  return {
    ...real,
    sleep: (sleeper, delayMs) => {
      waitedMs.push(delayMs);
      if (waitedMs.length < endless) real.sleep(sleeper, 0);
    },
  };
}

function consoleOf({ name, speech }: Client, baseUrl: string): { readonly world: ConsoleWorld; waitedMs: number[] } {
  const world = new ConsoleWorld();
  const waitedMs: number[] = [];
  world.ports = quickPorts(waitedMs);
  world.credentialOf = (provider) => `${provider}#1`;
  world.providers.set(name, openProvider({ name, speech, baseUrl }));
  return { world, waitedMs };
}

/** One that somebody had until now. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

const withoutKind = (text: string): string => text.replaceAll(/5\d\d [A-Z][\w ]+/g, "5xx");

describe.each(CLIENTS)("the console over $name's wire format", (client) => {
  const open = () => consoleOf(client, simulated.sim.urls.aiSdk[client.name]);
  const ask = (world: ConsoleWorld, behaviour: string, ...lines: string[]) =>
    world.start(new ScriptedInput(["echo: hello", ...lines], false), { model: `${client.name}/${behaviour}` });

  test("C1: five failures, the promised waits and warnings, then the answer", async () => {
    const { world, waitedMs } = open();
    expect(await ask(world, "bad-gateway@5", "/info")).toBe(0);
    expect(waitedMs).toEqual([1000, 2000, 3000, 5000, 5000]);
    expect(world.err).toBe(
      "⚠️  API request failed (502 Bad Gateway), retrying in 5 seconds... (attempt 4)\n" +
        "   Press Ctrl-C to cancel\n" +
        "⚠️  API request failed (502 Bad Gateway), retrying in 5 seconds... (attempt 5)\n" +
        "   Press Ctrl-C to cancel\n",
    );
    expect(world.out).toMatch(/^hello\nModel /);
    expect(world.out).toContain("  502                     5 failures, 5 retries, 20 % worked\n");
  });

  test.each(["rate-limited@4", "down@4", "timeout@4", "overloaded@4"])("C2: %s is retried", async (behaviour) => {
    const { world, waitedMs } = open();
    expect(await ask(world, behaviour)).toBe(0);
    expect(waitedMs).toEqual([1000, 2000, 3000, 5000]);
    expect(withoutKind(world.err)).toMatch(
      /^⚠️ {2}API request failed \((?:5xx|429 Too Many Requests)\), retrying in 5 seconds\.\.\. \(attempt 4\)\n/,
    );
    expect(world.out).toBe("hello\n");
  });

  test.each([
    ["bad-request", "400 Bad Request"],
    ["forbidden", "403 Forbidden"],
    ["not-found", "404 Not Found"],
    ["server-error", "500 Internal Server Error"],
  ])("C2: %s is told at once", async (behaviour, words) => {
    const { world, waitedMs } = open();
    expect(await ask(world, behaviour)).toBe(1);
    expect(waitedMs).toEqual([]);
    expect(world.err).toMatch(new RegExp(`^API request failed \\(${words}\\): .+\n$`));
    expect(world.out).toBe("");
  });

  test.each([
    [401, "Unauthorized"],
    [422, "Unprocessable Entity"],
  ])("C2: %i %s is told at once", async (status, words) => {
    const body = JSON.stringify({ type: "error", error: { type: "invalid", code: status, message: "no use" } });
    const server = createHttpServer((_, response) =>
      response.writeHead(status, { "content-type": "application/json" }).end(body),
    ).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const { world, waitedMs } = consoleOf(client, `http://127.0.0.1:${port}/v1`);
    expect(await ask(world, "ok")).toBe(1);
    server.close();
    expect(waitedMs).toEqual([]);
    expect(world.err).toBe(`API request failed (${status} ${words}): no use\n`);
  });

  test("C2: a refused connection is retried", async () => {
    const { world, waitedMs } = consoleOf(client, `http://127.0.0.1:${await closedPort()}/v1`);
    world.ports = quickPorts(waitedMs, 6);
    const input = new ScriptedInput(["hello"], false);
    const running = world.start(input, { model: `${client.name}/ok` });
    await until(() => waitedMs.length === 6);
    expect(world.err).toContain("⚠️  API request failed (Connection failed, ECONNREFUSED), retrying in 5 seconds");
    input.ear?.interrupt();
    expect(await running).toBe(130);
  });

  test("C4: Ctrl-C during a wait ends the exchange at once and no further request is made", async () => {
    const { world, waitedMs } = open();
    world.ports = quickPorts(waitedMs, 4);
    const input = new ScriptedInput(["hello"]);
    const running = world.start(input, { model: `${client.name}/bad-gateway` });
    await until(() => waitedMs.length === 4);
    input.ear?.interrupt();
    expect(await running).toBe(0);
    expect(simulated.sim.requests).toHaveLength(4);
    expect((await world.kept()).at(-1)).toMatchObject({ stopReason: "error", model: `${client.name}/bad-gateway` });
  });
});
