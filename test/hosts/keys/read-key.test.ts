import { EventEmitter } from "node:events";
import { describe, expect, test } from "vitest";
import { CANCELLED, type KeyInput, readKey } from "../../../src/hosts/keys/read-key.ts";

/** A terminal that notes what is done to it. */
class FakeTerminal extends EventEmitter implements KeyInput {
  readonly isTTY = true;
  isRaw = false;
  setRawMode(isRaw: boolean): void {
    this.isRaw = isRaw;
  }
  setEncoding(): void {}
  resume(): this {
    return this;
  }
  pause(): this {
    return this;
  }
  async *[Symbol.asyncIterator](): AsyncGenerator<never> {}
}

async function type(...chunks: readonly string[]) {
  const terminal = new FakeTerminal();
  let shown = "";
  const reading = readKey(terminal, { write: (text) => (shown += text) }, "Key: ");
  await new Promise((resolve) => setImmediate(resolve));
  expect(terminal.isRaw).toBe(true);
  for (const chunk of chunks) terminal.emit("data", chunk);
  const answer = await reading;
  return { answer, shown, terminal };
}

describe("the hidden prompt", () => {
  test("E17: shows nothing of the key, and restores the terminal", async () => {
    const { answer, shown, terminal } = await type("sk-12", "x\u007f34", "\r");
    expect(answer).toBe("sk-1234");
    expect(shown).toBe("Key: \n");
    expect(terminal.isRaw).toBe(false);
    expect(terminal.listenerCount("data")).toBe(0);
  });

  test("E17: Ctrl-C cancels", async () => {
    expect((await type("sk-12\u0003")).answer).toBe(CANCELLED);
  });
});
