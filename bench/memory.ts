import { fileURLToPath } from "node:url";
import { type Call, ENGINES, type Engine } from "./engines.ts";
import { collect } from "./measure.ts";

const OVERLOADED = Object.assign(new Error("Overloaded"), { status: 503 });
const LONG_MS = 3_600_000;

/** Heap bytes that one generation holds while it waits for its retry, with `pending` of them at the same time. */
async function heapPerPending(engine: Engine, pending: number): Promise<number> {
  const call: Call = async () => {
    throw OVERLOADED;
  };
  const wrapped = engine.prepare(call, LONG_MS);
  const promises: Promise<unknown>[] = new Array(pending);
  await collect();
  const before = process.memoryUsage().heapUsed;
  for (let i = 0; i < pending; i++) promises[i] = wrapped();
  await new Promise((resolve) => setTimeout(resolve, 50));
  await collect();
  const bytes = (process.memoryUsage().heapUsed - before) / pending;
  // Keeps them alive until after the measurement.
  if (promises.length !== pending) throw new Error("unreachable");
  return bytes;
}

/** Runs in its own process: a hundred thousand sleepers of one engine must not weigh on the next. */
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , name, count] = process.argv;
  const engine = ENGINES.find((candidate) => candidate.name === name);
  if (engine === undefined) throw new Error(`No engine is called ${name}`);
  console.log(Math.round(await heapPerPending(engine, Number(count))));
  process.exit(0);
}
