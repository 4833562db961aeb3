import { type Call, ENGINES } from "./engines.ts";
import { interleaved } from "./measure.ts";

/** A call that succeeds at first: what the engine adds, in CPU nanoseconds. */
export async function measureSuccess(
  rounds: number,
  onRound: (round: number) => void,
): Promise<Record<string, number>> {
  const call: Call = async () => 1;
  const entries = new Map<string, Call>([["plain call", call]]);
  for (const engine of ENGINES) entries.set(engine.name, engine.prepare(call, 0));
  const perCall = await interleaved(entries, rounds, onRound);
  const floor = perCall.get("plain call") ?? 0;
  perCall.delete("plain call");
  return Object.fromEntries([...perCall].map(([name, ns]) => [name, Math.max(1, ns - floor)]));
}
