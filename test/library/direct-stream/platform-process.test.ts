// In a process of its own: what other tests do to the platform's streams must not matter here.
import * as streams from "node:stream";
import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { directStream, StreamCore } from "../../../src/library/direct-stream/index.ts";

class Listed extends StreamCore<Uint8Array> {
  left: unknown = undefined;
  private readonly texts: string[];

  constructor(texts: readonly string[]) {
    super();
    this.texts = [...texts];
  }

  override pull(): void {
    const text = this.texts.shift();
    if (text === undefined) this.close();
    else this.give(new TextEncoder().encode(text));
  }

  override leave(reason: unknown): void {
    this.left = reason;
  }
}

/** Missing in the types of Node 20. */
const { isDisturbed } = streams as unknown as { isDisturbed(stream: unknown): boolean };

const make = (): ReadableStream<Uint8Array> => directStream(new Listed(["a", "b", "c"]));
const textOf = (chunks: readonly Uint8Array[]): string => Buffer.concat(chunks).toString();

async function drain(stream: ReadableStream<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return textOf(chunks);
}

describe("a direct stream and code of the platform", () => {
  test("B4: is a ReadableStream, and its reader a reader", () => {
    const stream = make();
    expect(stream).toBeInstanceOf(ReadableStream);
    expect(Object.prototype.toString.call(stream)).toBe("[object ReadableStream]");
    expect(stream.getReader()).toBeInstanceOf(ReadableStreamDefaultReader);
    expect(inspect(stream)).toContain("locked: true");
  });

  test("B4: is accepted where the platform looks past its methods", async () => {
    expect(await new Response(make()).text()).toBe("abc");
    expect(textOf(await streams.Readable.fromWeb(make() as never).toArray())).toBe("abc");
    expect(await drain(ReadableStream.prototype.pipeThrough.call(make(), new TransformStream()) as never)).toBe("abc");
    const own = ReadableStream.prototype as ReadableStream<Uint8Array>;
    expect(await (Reflect.apply(own.getReader, make(), []) as ReadableStreamDefaultReader<Uint8Array>).read()).toEqual({
      done: false,
      value: new TextEncoder().encode("a"),
    });
  });

  test("B4: one that is being read is locked for the platform too, until its reader lets go", async () => {
    const stream = make();
    const reader = stream.getReader();
    await reader.read();
    expect(() => ReadableStream.prototype.getReader.call(stream)).toThrow(TypeError);
    expect(() => new Response(stream)).toThrow(TypeError);
    reader.releaseLock();
    expect(stream.locked).toBe(false);
    expect(await drain(stream)).toBe("bc");
    expect(isDisturbed(stream)).toBe(true);
  });

  test("B4: one that has been read counts as read", async () => {
    const stream = make();
    await drain(stream);
    expect(isDisturbed(stream)).toBe(true);
    expect(() => new Response(stream)).toThrow(TypeError);
  });

  test("B4: a signal ends a pipe, and leaves the source", async () => {
    const core = new Listed(["a"]);
    const stop = new AbortController();
    const piped = directStream(core).pipeTo(new WritableStream({ write: () => stop.abort("enough") }), stop);
    await expect(piped).rejects.toBe("enough");
    expect(core.left).toBe("enough");
  });

  test("B4: two branches get the same, one after the other", async () => {
    const [one, other] = make().tee();
    expect(await drain(one)).toBe("abc");
    expect(await drain(other)).toBe("abc");
  });

  test("E15: nothing is read ahead of the reader, also through a pipe that waits", async () => {
    const core = new Listed(Array.from({ length: 9 }, String));
    let asked = 0;
    const { pull } = core;
    core.pull = function count(this: Listed) {
      asked++;
      pull.call(this);
    };
    directStream(core).pipeThrough(new TransformStream());
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(asked).toBeLessThanOrEqual(2);
  });
});
