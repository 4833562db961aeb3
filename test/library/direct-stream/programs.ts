import fc from "fast-check";

/** What a source does each time it is asked. After the last it is never heard of again. */
export type Step =
  | { readonly does: "give"; readonly value: number; readonly isLate: boolean }
  // A burst: some chunks at once, and the end.
  | { readonly does: "close" | "fail" | "burst"; readonly isLate: boolean };

/** One thing that a consumer does. Numbers pick among what there is. */
export type Operation =
  | { readonly does: "look" | "cancel" | "tee" | "reader" | "byob" | "iterator" | "settle"; readonly stream: number }
  | { readonly does: "read" | "release" | "leave" | "closed"; readonly reader: number }
  | { readonly does: "next" | "return"; readonly iterator: number }
  | {
      readonly does: "pipe" | "transform";
      readonly stream: number;
      readonly options: object | undefined;
      readonly breaks: number;
    };

export interface Program {
  readonly steps: readonly Step[];
  readonly operations: readonly Operation[];
}

const pick = fc.nat(3);
const options = fc.constantFrom(
  undefined,
  undefined,
  {},
  { preventClose: true },
  { preventCancel: true },
  { preventAbort: true },
);
const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({
    does: fc.constantFrom("look", "cancel", "tee", "reader", "reader", "byob", "iterator", "settle" as const),
    stream: pick,
  }),
  fc.record({ does: fc.constantFrom("read", "read", "read", "release", "leave", "closed" as const), reader: pick }),
  fc.record({ does: fc.constantFrom("next", "next", "return" as const), iterator: pick }),
  // `breaks`: after so many chunks the destination fails; 9: never.
  fc.record({
    does: fc.constantFrom("pipe", "transform" as const),
    stream: pick,
    options,
    breaks: fc.constantFrom(0, 1, 2, 9, 9),
  }),
) as fc.Arbitrary<Operation>;
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ does: fc.constant("give" as const), value: fc.nat(99), isLate: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constantFrom("close", "fail", "burst" as const), isLate: fc.boolean() }),
  },
);

export const programs: fc.Arbitrary<Program> = fc
  .record({
    steps: fc.array(step, { maxLength: 6 }),
    operations: fc.array(operation, { minLength: 1, maxLength: 12 }),
  })
  .map(({ steps, operations }) => {
    // Whether the source or the destination fails first is otherwise a matter of turns.
    const isRace = operations.some((one) => "breaks" in one && one.breaks < 9);
    return {
      operations,
      steps: steps.map((one): Step => {
        if (!isRace) return one;
        return one.does === "burst" ? { does: "close", isLate: true } : { ...one, isLate: true };
      }),
    };
  });

type Made = ReadableStream<unknown>;
export type Make = (steps: readonly Step[], note: (what: string) => void) => Made | Promise<Made>;

export interface Sink {
  give(value: number): void;
  close(): void;
  fail(error: Error): void;
}

/** Plays the steps, one for each time it is asked. */
export function player(steps: readonly Step[], note: (what: string) => void): (sink: Sink) => Promise<void> {
  let at = 0;
  return async (sink) => {
    const next = steps[at++];
    note("pull");
    if (next === undefined) return new Promise(() => undefined);
    // Never at once: when the platform asks again within a turn is its own affair.
    await (next.isLate ? new Promise((resolve) => setImmediate(resolve)) : undefined);
    if (next.does === "give") sink.give(next.value);
    else if (next.does === "burst") {
      for (const value of [1, 2, 3]) sink.give(value);
      sink.close();
    } else if (next.does === "close") sink.close();
    else sink.fail(new Error("broken"));
  };
}

/** The platform's own stream: what the other one is held against. */
export const plain: Make = (steps, note) => {
  const play = player(steps, note);
  return new ReadableStream<number>(
    {
      pull: (controller) =>
        play({
          give: (value) => attempt(() => controller.enqueue(value)),
          close: () => attempt(() => controller.close()),
          fail: (error) => attempt(() => controller.error(error)),
        }),
      cancel: (reason) => note(`cancel ${String(reason)}`),
    },
    { highWaterMark: 0 },
  );
};

/** A controller throws once its stream is cancelled; a core takes no notice. */
export function attempt(act: () => void): void {
  try {
    act();
  } catch {
    // Left.
  }
}

export function direct({
  directStream,
  StreamCore,
}: typeof import("../../../src/library/direct-stream/index.ts")): Make {
  return (steps, note) => {
    const play = player(steps, note);
    class Played extends StreamCore<number> {
      override pull(): void {
        void play(this);
      }

      override leave(reason: unknown): void {
        note(`cancel ${String(reason)}`);
      }
    }
    return directStream(new Played());
  };
}

/** Runs a program; returns what each of its operations came to, and what the source noticed. */
export async function play(make: Make, { steps, operations }: Program): Promise<unknown> {
  const noticed: string[] = [];
  const outcomes: unknown[] = [];
  const streams = [await make(steps, (what) => noticed.push(what))];
  const readers: ReadableStreamDefaultReader<unknown>[] = [];
  const iterators: AsyncIterator<unknown, unknown>[] = [];
  await settle();
  for (const [index, operation] of operations.entries()) {
    try {
      const result = perform(operation, { streams, readers, iterators });
      outcomes[index] = "open";
      const note = (outcome: unknown): void => {
        outcomes[index] = outcome;
      };
      Promise.resolve(result).then(note, (error: unknown) => note(nameOf(error)));
    } catch (error) {
      outcomes[index] = nameOf(error);
    }
    if (!areTogether(operation, operations[index + 1])) await settle();
  }
  await settle();
  // How far a pipe has read when its destination fails is a matter of turns.
  const hasPipe = operations.some(({ does }) => does === "pipe" || does === "transform");
  return {
    outcomes,
    noticed: noticed.filter((what) => !hasPipe || what !== "pull"),
    locked: streams.map((stream) => stream.locked),
  };
}

/** Operations whose order within one turn matters. The first `next` of Node's own iterator is a turn late. */
function areTogether({ does }: Operation, next: Operation | undefined): boolean {
  if (next === undefined || does === "settle") return false;
  const isReading = (what: string): boolean => ["read", "release", "leave", "reader", "look"].includes(what);
  return (
    (isReading(does) && isReading(next.does)) || (does === "next" && (next.does === "next" || next.does === "return"))
  );
}

/** Whether a reader asks and leaves, or cancels, within one turn. */
export function leavesOpenReads({ operations }: Program): boolean {
  let isOpen = false;
  return operations.some((operation, index) => {
    if (operation.does === "read") isOpen = true;
    if ((operation.does === "release" || operation.does === "leave") && isOpen) return true;
    if (!areTogether(operation, operations[index + 1])) isOpen = false;
    return false;
  });
}

interface State {
  readonly streams: Made[];
  readonly readers: ReadableStreamDefaultReader<unknown>[];
  readonly iterators: AsyncIterator<unknown, unknown>[];
}

function perform(operation: Operation, { streams, readers, iterators }: State): unknown {
  const at = <T>(list: readonly T[], index: number): T | undefined => list[index % Math.max(1, list.length)];
  if ("reader" in operation) {
    const reader = at(readers, operation.reader);
    if (operation.does === "read") return reader?.read().then((result) => ({ ...result }));
    if (operation.does === "leave") return reader?.cancel("left");
    if (operation.does === "closed") return reader?.closed.then(() => "closed");
    return reader?.releaseLock();
  }
  if ("iterator" in operation) {
    const iterator = at(iterators, operation.iterator);
    if (operation.does === "next") return iterator?.next().then((result) => ({ ...result }));
    return iterator?.return?.("enough").then((result) => ({ ...result }));
  }
  const stream = at(streams, operation.stream) as Made;
  switch (operation.does) {
    case "settle":
      return undefined;
    case "look":
      return stream.locked;
    case "cancel":
      return stream.cancel("stopped");
    case "tee":
      return void streams.push(...stream.tee());
    case "reader":
      return void readers.push(stream.getReader());
    case "byob":
      return void stream.getReader({ mode: "byob" });
    case "iterator":
      return void iterators.push(stream.values());
    case "pipe":
      return pipe(stream, operation.breaks, operation.options);
    case "transform": {
      const { breaks, options } = operation;
      streams.push(stream.pipeThrough(new TransformStream({ transform: failingAfter(breaks) }), options));
      return undefined;
    }
  }
}

async function pipe(stream: Made, breaks: number, options: object | undefined): Promise<unknown> {
  const got: unknown[] = [];
  const fails = failingAfter(breaks);
  const writable = new WritableStream<unknown>({
    write: (value) => fails(value, { enqueue: () => got.push(value) }),
    close: () => void got.push("closed"),
    abort: (reason) => void got.push(`aborted ${nameOf(reason)}`),
  });
  try {
    return { piped: await stream.pipeTo(writable, options), got, locked: writable.locked };
  } catch (error) {
    return { refused: nameOf(error), got, locked: writable.locked };
  }
}

function failingAfter(count: number): (value: unknown, to: { enqueue(value: unknown): void }) => void {
  let left = count;
  return (value, to) => {
    if (left-- <= 0) throw new RangeError("full");
    to.enqueue(value);
  };
}

/** The text of a TypeError is the platform's. */
function nameOf(error: unknown): string {
  if (error instanceof TypeError) return "TypeError";
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 8; turn++) await new Promise((resolve) => setImmediate(resolve));
}
