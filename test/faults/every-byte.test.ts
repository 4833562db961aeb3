import { beforeAll, describe, expect, test } from "vitest";
import { receiptOf, resilientFetch } from "../../src/adapters/fetch/index.ts";
import { bodyOf, drain, type Ending, streamResponse } from "./support/cut-body.ts";
import { type Cut, useCutDispatcher } from "./support/cut-dispatcher.ts";
import { endOf, placesIn } from "./support/cut-places.ts";
import { recordTranscripts, type Transcript } from "./support/transcripts.ts";

const POLICY = {
  ...{ schedules: { general: { type: "fixed", delayMs: 0, atMost: 1 } as const } },
  ...{ breaker: null, budget: null },
};

let all: readonly Transcript[] = [];
beforeAll(async () => {
  all = await recordTranscripts();
});

/** An answer of the same format that has nothing to do with this one. */
function otherThan({ name }: Transcript): Transcript {
  const [format = ""] = name.split(",");
  const other = all.find((one) => one.name.startsWith(format) && one.name !== name);
  if (other === undefined) throw new Error("No other answer");
  return other;
}

let next: () => Cut = () => {
  throw new Error("Nothing to send");
};
const byFetch = resilientFetch(POLICY, {
  fetch: async () => {
    const { chunks, ending } = next();
    return streamResponse(bodyOf(chunks[0] as Uint8Array, ending));
  },
});
const byDispatcher = resilientFetch(POLICY);

/** The first attempt breaks off after so many bytes, the second does not. */
async function cutAt(
  fetch: typeof byFetch,
  [whole, second]: readonly [Transcript, Transcript],
  place: number,
  ending: Ending,
) {
  let calls = 0;
  next = () => {
    calls += 1;
    return calls === 1
      ? { chunks: [whole.bytes.subarray(0, place)], ending }
      : { chunks: [second.bytes], ending: "end" };
  };
  const response = await fetch(whole.url, { method: "POST", body: whole.request });
  const { bytes, error } = await drain(response.body);
  return { calls, bytes, error, status: response.status, isComplete: receiptOf(response)?.complete };
}

const isPrefix = (part: Uint8Array, whole: Uint8Array): boolean =>
  Buffer.compare(part, whole.subarray(0, part.length)) === 0;

describe.each([
  ["end", "fetch", byFetch],
  ["reset", "fetch", byFetch],
  ["end", "dispatcher", byDispatcher],
  ["reset", "dispatcher", byDispatcher],
] as const)("%s at every byte, by %s", (ending, _, fetch) => {
  useCutDispatcher(() => next());

  test.each(Array.from({ length: 20 }, (_, place) => place))(
    "E14, E15b: answer %i is a prefix of one attempt and an error, or whole",
    async (index) => {
      const whole = all[index] as Transcript;
      const second = otherThan(whole);
      // Without its blank line the last event counts only if the body has ended.
      const wholeFrom = endOf(whole) + (ending === "end" ? 0 : 2);
      const wrong: unknown[] = [];
      let retried = 0;
      for (const place of placesIn(whole, index)) {
        const { calls, bytes, error, status, isComplete } = await cutAt(fetch, [whole, second], place, ending);
        const isWhole = error === undefined && status === 200 && isComplete === true;
        const isRight =
          calls === 2
            ? isWhole && Buffer.compare(bytes, second.bytes) === 0
            : isPrefix(bytes, whole.bytes) && isWhole === place >= wholeFrom && (isWhole || error !== undefined);
        if (calls === 2) retried += 1;
        if (!isRight) wrong.push({ place, calls, error, length: bytes.length, isComplete });
      }
      expect(wrong.slice(0, 3)).toEqual([]);
      // What was cut before its first content was asked for again, and nothing else.
      expect(retried).toBeGreaterThan(10);
      expect(retried).toBeLessThan(wholeFrom);
    },
  );
});
