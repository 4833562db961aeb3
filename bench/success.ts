import { fileURLToPath } from "node:url";
import { type Call, closeEngines, ENGINES } from "./engines.ts";
import { interleaved } from "./measure.ts";

/** A call that succeeds at first: what one engine adds, in CPU nanoseconds. */
async function measureSuccess(name: string, rounds: number): Promise<number> {
  const engine = ENGINES.find((one) => one.name === name);
  if (engine === undefined) throw new Error(`no engine is called ${name}`);
  const call: Call = async () => 1;
  const entries = new Map([
    ["plain call", call],
    [name, engine.prepare(call, 0)],
  ]);
  const perCall = await interleaved(entries, rounds, () => undefined);
  return Math.max(1, (perCall.get(name) ?? Number.NaN) - (perCall.get("plain call") ?? Number.NaN));
}

/**
 * Each engine runs in its own process, as in an application, and in several: how the compiler happens to lay the code
 * out is settled once per process and moves any engine by a tenth.
 */
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(await measureSuccess(process.argv[2] ?? "", Number(process.argv[3])));
  closeEngines();
}
