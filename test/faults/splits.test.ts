import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { resilientFetch } from "../../src/adapters/fetch/index.ts";
import { joinReadings, type Said } from "../../src/formats/event-meaning.ts";
import { EventCutter, type Piece } from "../../src/formats/index.ts";
import { often } from "../support/soak.ts";
import { drain, streamResponse } from "./support/cut-body.ts";
import { useCutDispatcher } from "./support/cut-dispatcher.ts";
import { recordTranscripts, type Transcript } from "./support/transcripts.ts";

let all: readonly Transcript[] = [];
beforeAll(async () => {
  all = await recordTranscripts();
});

const splits = fc.record({
  index: fc.nat(19),
  // As shares of the whole, so that they fit every answer.
  cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 40 }),
});

function chunksOf(bytes: Uint8Array, cuts: readonly number[]): readonly Uint8Array[] {
  const places = [0, ...cuts.map((share) => Math.floor(share * bytes.length)), bytes.length].sort((a, b) => a - b);
  return places.slice(1).map((place, before) => bytes.subarray(places[before], place));
}

/** What a cutter makes of an answer that comes in these chunks. */
function cutUp(chunks: readonly Uint8Array[]) {
  const cutter = new EventCutter();
  const pieces: Piece[] = [...chunks.flatMap((chunk) => cutter.push(chunk)), ...cutter.end()];
  const readings = pieces.map(({ reading }) => reading);
  return {
    bytes: Buffer.concat(pieces.map(({ bytes }) => bytes)),
    joined: readings.reduce((one, other) => joinReadings(one as Said, other as Said), "noise"),
    hasProblem: readings.some((reading) => typeof reading === "object"),
    hasEnded: cutter.hasEnded,
  };
}

test("E15b: an answer means the same however its bytes are split", () => {
  fc.assert(
    fc.property(splits, ({ index, cuts }) => {
      const { bytes } = all[index] as Transcript;
      const { bytes: out, ...meaning } = cutUp(chunksOf(bytes, cuts));
      expect(meaning).toEqual({ hasProblem: false, hasEnded: true, joined: "content-end" });
      expect(Buffer.compare(out, bytes)).toBe(0);
    }),
    { numRuns: often(2000, 100_000) },
  );
});

test("E15b: one byte at a time, every answer passes unchanged", () => {
  for (const { bytes } of all) {
    const { hasEnded, bytes: out } = cutUp(Array.from(bytes, (_, place) => bytes.subarray(place, place + 1)));
    expect(hasEnded).toBe(true);
    expect(Buffer.compare(out, bytes)).toBe(0);
  }
});

describe.each(["fetch", "dispatcher"])("by %s", (way) => {
  let chunks: readonly Uint8Array[] = [];
  useCutDispatcher(() => ({ chunks, ending: "end" }));
  const send = async (): Promise<Response> => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk);
        controller.close();
      },
    });
    return streamResponse(body);
  };
  const fetch = resilientFetch({}, way === "fetch" ? { fetch: send } : {});

  test("E14: the reader of `resilientFetch` gets the same bytes however they were split", async () => {
    await fc.assert(
      fc.asyncProperty(splits, async ({ index, cuts }) => {
        const { bytes, url, request } = all[index] as Transcript;
        chunks = chunksOf(bytes, cuts);
        const { bytes: out, error } = await drain((await fetch(url, { method: "POST", body: request })).body);
        expect(error).toBeUndefined();
        expect(Buffer.compare(out, bytes)).toBe(0);
      }),
      { numRuns: often(500, 20_000) },
    );
  });
});
