import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { virtualTime } from "../../src/adapters/testing/index.ts";
import { type AttemptContext, type GenerationStream, type Reading, stream } from "../../src/index.ts";

const inspect = (item: string): Reading => (item === "end" ? "end" : "content");
const policy = { watchdog: { idleMs: 1000 } };

/** An answer whose connection the server keeps open after the terminal marker, until the signal closes it. */
async function* stayingOpen({ signal }: AttemptContext, onClosed: () => void) {
  try {
    yield "Hello";
    yield "end";
    await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  } finally {
    onClosed();
  }
}

async function read(items: GenerationStream<string>): Promise<readonly string[]> {
  const got: string[] = [];
  for await (const item of items) got.push(item);
  return got;
}

describe("a server that keeps the connection open after a whole answer", () => {
  test("E15: the answer is good, and the read that waits for more is really cancelled", async () => {
    const time = virtualTime({ quietMs: 1 });
    let closed = 0;
    const items = stream((context) => stayingOpen(context, () => closed++), { inspect, policy, ports: time.ports });
    expect(await read(items)).toEqual(["Hello", "end"]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(closed).toBe(1);
    expect(items.receipt).toMatchObject({ complete: true, outcome: "succeeded", attempts: 1 });
  });

  test("E15: the read that waits for more is cancelled, too, if the consumer leaves", async () => {
    let closed = 0;
    const items = stream((context) => stayingOpen(context, () => closed++), { inspect });
    await items.next();
    await items.next();
    const open = items.next();
    await new Promise((resolve) => setImmediate(resolve));
    await items.return?.();
    expect(await open).toEqual({ done: true, value: undefined });
    await new Promise((resolve) => setImmediate(resolve));
    expect(closed).toBe(1);
  });

  test("E15: the socket of a fetch closes", async () => {
    let isOpen = true;
    const server = createServer(({ socket }, response) => {
      socket.on("close", () => {
        isOpen = false;
      });
      response.write("Hello\nend\n");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const time = virtualTime({ quietMs: 50 });
    const lines = async function* ({ signal }: AttemptContext) {
      const { body } = await fetch(url, { signal });
      for await (const chunk of body ?? []) yield* new TextDecoder().decode(chunk).trim().split("\n");
    };
    expect(await read(stream(lines, { inspect, policy, ports: time.ports }))).toEqual(["Hello", "end"]);
    await expect.poll(() => isOpen).toBe(false);
  });
});
