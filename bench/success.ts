import { fileURLToPath } from "node:url";
import { type Call, closeEngines, ENGINES } from "./engines.ts";
import { interleaved } from "./measure.ts";

/** A call that succeeds at first: what the engine adds, in CPU nanoseconds. */
async function measureSuccess(rounds: number): Promise<Record<string, number>> {
  const call: Call = async () => 1;
  const entries = new Map<string, Call>([["plain call", call]]);
  for (const engine of ENGINES) entries.set(engine.name, engine.prepare(call, 0));
  const perCall = await interleaved(entries, rounds, () => undefined);
  const floor = perCall.get("plain call") ?? 0;
  perCall.delete("plain call");
  return Object.fromEntries([...perCall].map(([name, ns]) => [name, Math.max(1, ns - floor)]));
}

/**
 * Runs in a process of its own, several times: how the compiler happens to lay the code out is settled once per process and
 * moves any engine by a tenth.
 */
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(JSON.stringify(await measureSuccess(Number(process.argv[2]))));
  closeEngines();
}
