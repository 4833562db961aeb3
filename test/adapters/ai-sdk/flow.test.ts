import { describe, expect, test } from "vitest";
import { resilientModel } from "../../../src/adapters/ai-sdk/index.ts";
import type { PolicyInput } from "../../../src/index.ts";
import { finish, type Part, says, scripted } from "./scripted-model.ts";
import { CALL, QUICK } from "./support.ts";

/** A provider's stream whose parts are pushed by hand. */
function byHand(): {
  readonly stream: ReadableStream<Part>;
  readonly controller: () => ReadableStreamDefaultController<Part>;
  readonly left: unknown[];
} {
  const left: unknown[] = [];
  let controller: ReadableStreamDefaultController<Part> | undefined;
  const stream = new ReadableStream<Part>({
    start(given) {
      controller = given;
    },
    cancel: (reason) => void left.push(reason ?? "left"),
  });
  return { stream, left, controller: () => controller as ReadableStreamDefaultController<Part> };
}

/** A model whose answer has begun, and a read that waits for its second token. */
async function begun(stream: ReadableStream<Part>, push: (part: Part) => void, policy: PolicyInput = QUICK) {
  const abort = new AbortController();
  push(says("one"));
  push(says("two"));
  const model = resilientModel(scripted({ stream: [() => stream] }), policy);
  const { stream: ours } = await model.doStream({ ...CALL, abortSignal: abort.signal });
  const reader = ours.getReader();
  expect(await reader.read()).toEqual({ done: false, value: says("one") });
  expect(await reader.read()).toEqual({ done: false, value: says("two") });
  return { abort, ours, reader, open: reader.read() };
}

const within = <T>(ms: number, promise: Promise<T>): Promise<T | "late"> =>
  Promise.race([promise, new Promise<"late">((resolve) => setTimeout(resolve, ms, "late"))]);

describe("an open read while the answer flows", () => {
  test("E14: an abort rejects it at once, and closes the provider's stream", async () => {
    const { stream, controller, left } = byHand();
    const { abort, open } = await begun(stream, (part) => controller().enqueue(part));
    const reason = new Error("enough");
    abort.abort(reason);
    await expect(within(200, open)).rejects.toBe(reason);
    expect(left).toHaveLength(1);
  });

  test("E14: an abort rejects it even if the provider's reader never settles", async () => {
    const parts: Part[] = [];
    const never = new Promise<never>(() => undefined);
    const reader = {
      read: () => (parts.length > 0 ? Promise.resolve({ done: false, value: parts.shift() }) : never),
      cancel: () => never,
      releaseLock: () => undefined,
    };
    const stream = { getReader: () => reader } as unknown as ReadableStream<Part>;
    const { abort, open } = await begun(stream, (part) => parts.push(part));
    abort.abort(new Error("enough"));
    await expect(within(200, open)).rejects.toThrow("enough");
  });

  test("E15: the idle limit ends it with the error as the last part", async () => {
    const { stream, controller, left } = byHand();
    const policy = { ...QUICK, watchdog: { idleMs: 60 } };
    const { reader, open } = await begun(stream, (part) => controller().enqueue(part), policy);
    expect(await within(2000, open)).toMatchObject({
      value: { type: "error", error: { failure: { kind: "stalled" } } },
    });
    expect(await reader.read()).toEqual({ done: true, value: undefined });
    expect(left).toHaveLength(1);
  });

  test("E15: a fault of the provider's stream comes as the last part", async () => {
    const { stream, controller } = byHand();
    const { reader, open } = await begun(stream, (part) => controller().enqueue(part));
    controller().error(Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }));
    expect(await within(2000, open)).toMatchObject({ value: { type: "error" } });
    expect(await reader.read()).toEqual({ done: true, value: undefined });
  });

  test("E15b: a stream that just ends is an error, one with its finish is whole", async () => {
    const cut = byHand();
    const broken = await begun(cut.stream, (part) => cut.controller().enqueue(part));
    cut.controller().close();
    expect(await within(2000, broken.open)).toMatchObject({ value: { type: "error" } });
    const whole = byHand();
    const good = await begun(whole.stream, (part) => whole.controller().enqueue(part));
    whole.controller().enqueue(finish());
    whole.controller().close();
    expect(await within(2000, good.open)).toMatchObject({ value: { type: "finish" } });
    expect(await good.reader.read()).toEqual({ done: true, value: undefined });
  });

  test("B4: a reader that gives up its lock gets a rejection at once, and the next one gets the part", async () => {
    const { stream, controller } = byHand();
    const { ours, reader, open } = await begun(stream, (part) => controller().enqueue(part));
    reader.releaseLock();
    await expect(within(200, open)).rejects.toThrow(TypeError);
    const next = ours.getReader();
    const read = next.read();
    controller().enqueue(says("three"));
    expect(await within(2000, read)).toEqual({ done: false, value: says("three") });
  });

  test("B4: a part that has come when the lock is given up is not lost", async () => {
    const { stream, controller } = byHand();
    const { ours, reader, open } = await begun(stream, (part) => controller().enqueue(part));
    controller().enqueue(says("three"));
    reader.releaseLock();
    const seen: unknown[] = await within(200, open).then(
      (result) => [result],
      () => [],
    );
    const next = ours.getReader();
    controller().enqueue(says("four"));
    for (let read = seen.length; read < 2; read++) seen.push(await within(2000, next.read()));
    expect(seen).toEqual([says("three"), says("four")].map((value) => ({ done: false, value })));
  });

  test("B4: a lock that can't be given up yet, as in older browsers, loses no part", async () => {
    const { stream, controller } = byHand();
    const { ours, reader, open } = await begun(stream, (part) => controller().enqueue(part));
    const own = ReadableStreamDefaultReader.prototype.releaseLock;
    const rejected = expect(open).rejects.toThrow(TypeError);
    // Only that of the source, which is the first: where our stream has a lock of the platform too, nothing reads by it.
    ReadableStreamDefaultReader.prototype.releaseLock = () => {
      ReadableStreamDefaultReader.prototype.releaseLock = own;
      throw new TypeError("This reader has an open read");
    };
    try {
      reader.releaseLock();
    } finally {
      ReadableStreamDefaultReader.prototype.releaseLock = own;
    }
    const read = ours.getReader().read();
    controller().enqueue(says("three"));
    await rejected;
    expect(await within(2000, read)).toEqual({ done: false, value: says("three") });
  });

  test("B4: reads that are made beside it are served in their order", async () => {
    const { stream, controller } = byHand();
    const { reader, open } = await begun(stream, (part) => controller().enqueue(part));
    const reads = [open, reader.read(), reader.read(), reader.read()];
    for (const part of [says("a"), { type: "raw", rawValue: {} } as const, says("b"), says("c"), finish()])
      controller().enqueue(part);
    controller().close();
    const values = (await Promise.all(reads)).map(({ value }) => value);
    expect(values.slice(0, 3)).toEqual([says("a"), says("b"), says("c")]);
    expect(values[3]).toMatchObject({ type: "finish" });
  });

  test("B4: cancelling ends it, and leaves the provider's stream", async () => {
    const { stream, controller, left } = byHand();
    const { reader, open } = await begun(stream, (part) => controller().enqueue(part));
    await reader.cancel();
    expect(await within(200, open)).toEqual({ done: true, value: undefined });
    expect(left).toHaveLength(1);
  });
});
