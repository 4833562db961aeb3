import { describe, expect, test } from "vitest";
import { stream } from "../../src/index.ts";

const POLICY = { schedules: { general: { type: "fixed", delayMs: 0, atMost: 1 } } } as const;

/** A `ReadableStream` as in Safari, which has no `Symbol.asyncIterator`. */
function inSafari<T>(items: readonly (T | Error)[], onCancel?: () => void): AsyncIterable<T> {
  const left = [...items];
  const readable = new ReadableStream<T>(
    {
      pull(controller) {
        const item = left.shift();
        if (item === undefined) controller.close();
        else if (item instanceof Error) controller.error(item);
        else controller.enqueue(item);
      },
      ...(onCancel && { cancel: onCancel }),
    },
    { highWaterMark: 0 },
  );
  return { getReader: () => readable.getReader() } as unknown as AsyncIterable<T>;
}

async function read<T>(items: AsyncIterable<T>): Promise<T[]> {
  const got: T[] = [];
  for await (const item of items) got.push(item);
  return got;
}

describe("a ReadableStream that cannot be iterated", () => {
  test("E14: is read by its reader, at once or from a promise", async () => {
    expect(await read(stream(() => inSafari([1, 2, 3])))).toEqual([1, 2, 3]);
    expect(await read(stream(async () => inSafari([1, 2, 3])))).toEqual([1, 2, 3]);
  });

  test("E14: is retried if it breaks before content", async () => {
    const broken = new TypeError("network connection was lost");
    const items = stream(({ attempt }) => inSafari(attempt === 1 ? [broken] : [1, 2]), { policy: POLICY });
    expect(await read(items)).toEqual([1, 2]);
    expect(items.receipt.attempts).toBe(2);
  });

  test("E13: is cancelled when the consumer leaves", async () => {
    let cancelled = 0;
    for await (const _ of stream(() => inSafari([1, 2, 3], () => cancelled++))) break;
    expect(cancelled).toBe(1);
  });
});
