import { type Reading, stream } from "secondwind";
import { interleaved } from "./measure.ts";

const TOKENS = Array.from({ length: 20 }, (_, index) => `token ${index}`);

async function* tokens(): AsyncGenerator<string> {
  for (const token of TOKENS) yield token;
  yield "[DONE]";
}

/** What many write to look at a stream on its way: one more generator. */
async function* passedThrough(): AsyncGenerator<string> {
  for await (const token of tokens()) yield token;
}

const inspect = (item: string): Reading => (item === "[DONE]" ? "end" : "content");

async function drain(items: AsyncIterable<string>): Promise<number> {
  let count = 0;
  for await (const _ of items) count++;
  return count;
}

/** A stream of twenty tokens with both watchdogs and the terminal marker: CPU microseconds added per stream. */
export async function measureStreams(
  rounds: number,
  onRound: (round: number) => void,
): Promise<Record<string, number>> {
  const perStream = await interleaved(
    new Map<string, () => Promise<number>>([
      ["plain stream", () => drain(tokens())],
      ["pass-through generator", () => drain(passedThrough())],
      ["secondwind", () => drain(stream(tokens, { inspect }))],
    ]),
    rounds,
    onRound,
  );
  const floor = perStream.get("plain stream") ?? 0;
  perStream.delete("plain stream");
  return Object.fromEntries([...perStream].map(([name, ns]) => [name, Math.max(0.01, (ns - floor) / 1000)]));
}
