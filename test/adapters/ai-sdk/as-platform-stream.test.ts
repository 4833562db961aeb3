import fc from "fast-check";
import { expect, test } from "vitest";
import { resilientModel } from "../../../src/adapters/ai-sdk/index.ts";
import {
  attempt,
  leavesOpenReads,
  type Make,
  play,
  player,
  programs,
  type Step,
} from "../../library/direct-stream/programs.ts";
import { often } from "../../support/soak.ts";
import { finish, type Part, says, scripted } from "./scripted-model.ts";
import { CALL, QUICK } from "./support.ts";

type Controller = ReadableStreamDefaultController<Part>;

interface Played {
  readonly steps: readonly Step[];
  readonly note: (what: string) => void;
  readonly break: (controller: Controller, error: Error) => void;
}

/** A provider's stream, which begins with `first`. */
function provider({ steps, note, break: fail }: Played, first?: Part): ReadableStream<Part> {
  const play = player(steps, note);
  let left = first;
  let hasEnded = false;
  return new ReadableStream<Part>(
    {
      pull(controller) {
        if (left === undefined) {
          return play({
            give: (value) => attempt(() => controller.enqueue(says(`${value}`))),
            close: () => {
              hasEnded = true;
              attempt(() => finishWith(controller));
            },
            fail: (error) => {
              hasEnded = true;
              attempt(() => fail(controller, error));
            },
          });
        }
        controller.enqueue(left);
        left = undefined;
        return undefined;
      },
      // The platform's stream counts as open until its last part is read; ours has let go of the provider by then.
      cancel: () => (hasEnded ? undefined : note("cancel")),
    },
    { highWaterMark: 0 },
  );
}

function finishWith(controller: Controller, last: Part = finish()): void {
  controller.enqueue(last);
  controller.close();
}

/** What a reader should get: an error is the last part. */
const platform: Make = (steps, note) =>
  provider({ steps, note, break: (controller, error) => finishWith(controller, { type: "error", error }) });

/** The same after its first content, which `doStream` waits for. */
const door: Make = async (steps, note) => {
  const stream = provider({ steps, note, break: (controller, error) => controller.error(error) }, says("first"));
  const result = await resilientModel(scripted({ stream: [() => stream] }), QUICK).doStream(CALL);
  const reader = result.stream.getReader();
  await reader.read();
  reader.releaseLock();
  return result.stream;
};

/** Parts by their type or text: a finish has a receipt as well, and an error the attempts. */
function plainly(outcome: unknown): unknown {
  const name = (_: string, value: Part | null): unknown => {
    if (typeof value !== "object" || value === null || !("type" in value)) return value;
    return value.type === "text-delta" ? value.delta : value.type;
  };
  return JSON.parse(JSON.stringify(outcome, name));
}

test("B4: the stream behaves as the platform's own, whatever its consumer does", async () => {
  const check = fc.asyncProperty(programs, async (program) => {
    // What a burst has left in the provider's queue can't be seen in the turn of the read. If the reader leaves in that turn, the
    // next one gets it; if it cancels, nobody does.
    fc.pre(!(program.steps.some(({ does }) => does === "burst") && leavesOpenReads(program)));
    const expected = plainly(await play(platform, program));
    // Node's own iterator fails when it is left while it is read.
    fc.pre(!JSON.stringify(expected).includes("a bug in Node.js"));
    expect(plainly(await play(door, program))).toEqual(expected);
  });
  await fc.assert(check, { numRuns: often(400, 20_000) });
}, 600_000);

test("B4: what a reader has asked for when it leaves goes to the next one, also where the provider had it ready", async () => {
  const burst = provider(
    {
      steps: [{ does: "burst", isLate: false }],
      note: () => undefined,
      break: (controller, error) => controller.error(error),
    },
    says("first"),
  );
  const { stream } = await resilientModel(scripted({ stream: [() => burst] }), QUICK).doStream(CALL);
  const reader = stream.getReader();
  expect(await reader.read()).toMatchObject({ value: says("first") });
  expect(await reader.read()).toMatchObject({ value: says("1") });
  const open = reader.read().catch((error: unknown) => error);
  reader.releaseLock();
  expect(await open).toBeInstanceOf(TypeError);
  const rest: unknown[] = [];
  for await (const part of stream) rest.push(part);
  expect(plainly(rest)).toEqual(["2", "3", "finish"]);
});
