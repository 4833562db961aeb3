import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { closeEngines, ENGINES } from "./engines.ts";
import type { Leftovers } from "./leftovers.ts";
import { median } from "./measure.ts";
import { measureDelayedRetry, measureOneRetry, measureZeroDelay } from "./one-retry.ts";
import { measureStreams } from "./streams.ts";

const USAGE = `Usage: npm run bench -- [--json] [--rounds N]

Measures the engine beside its peers in one run. Everything is CPU time unless it says otherwise, and only the ratios mean
anything on a noisy machine.

  --json       one JSON object on stdout
  --rounds N   interleaved rounds, 3 to 99 (default 11)

Exit code 1 if a figure that we promise is not reached.`;

const PENDING = 100_000;
const PROCESSES = 5;
const US = "secondwind";
const PEER = "cockatiel retry";

interface Figures {
  readonly node: string;
  readonly successNs: Record<string, number>;
  readonly oneRetryUs: Record<string, number>;
  readonly delayedRetryUs: Record<string, number>;
  readonly zeroDelayWaitUs: Record<string, number>;
  readonly heapPerPendingBytes: Record<string, number>;
  readonly stream20TokensUs: Record<string, number>;
  readonly leftovers: Leftovers;
}

interface Bar {
  readonly what: string;
  readonly figure: number;
  readonly atMost: number;
}

const { isJson, rounds } = readArguments(process.argv.slice(2));
const figures = await measure();
const bars = barsOf(figures);
const isReached = bars.every(({ figure, atMost }) => figure <= atMost);
if (isJson) console.log(JSON.stringify({ ...figures, bars, isReached }, null, 2));
else report(figures, bars);
closeEngines();
process.exitCode = isReached ? 0 : 1;

function readArguments(args: readonly string[]): { isJson: boolean; rounds: number } {
  if (args.includes("--help")) {
    console.log(USAGE);
    process.exit(0);
  }
  const at = args.indexOf("--rounds");
  const rounds = at < 0 ? 11 : Number(args[at + 1]);
  const unknown = args.filter((arg, index) => arg !== "--json" && arg !== "--rounds" && !(at >= 0 && index === at + 1));
  if (unknown.length > 0 || !Number.isInteger(rounds) || rounds < 3 || rounds > 99) {
    console.error(
      unknown.length > 0
        ? `Unknown argument ${unknown[0]}.\n\n${USAGE}`
        : `--rounds must be a whole number from 3 to 99; got ${args[at + 1]}`,
    );
    process.exit(2);
  }
  return { isJson: args.includes("--json"), rounds };
}

async function measure(): Promise<Figures> {
  return {
    node: process.version,
    successNs: successByEngine(),
    oneRetryUs: await measureOneRetry(Math.ceil(rounds / 2), progress("one retry")),
    delayedRetryUs: await measureDelayedRetry(Math.ceil(rounds / 2), progress("delayed retry")),
    zeroDelayWaitUs: await measureZeroDelay(300),
    stream20TokensUs: await measureStreams(rounds, progress("streams")),
    heapPerPendingBytes: Object.fromEntries(
      ENGINES.filter(({ retries }) => retries).map(({ name }) => {
        progress(`heap: ${name}`)(0);
        return [name, Number(alone("memory.ts", name, String(PENDING)))];
      }),
    ),
    leftovers: JSON.parse(alone("leftovers.ts")) as Leftovers,
  };
}

/** The median of several processes for each engine, taken by turns so that a noisy minute hits everybody. */
function successByEngine(): Record<string, number> {
  const samples = new Map<string, number[]>(ENGINES.map(({ name }) => [name, []]));
  for (let turn = 0; turn < PROCESSES; turn++) {
    progress("success")(turn);
    for (const [name, values] of samples) values.push(Number(alone("success.ts", name, String(rounds))));
  }
  return Object.fromEntries([...samples].map(([name, values]) => [name, median(values)]));
}

/** In its own process: what one leaves behind must not weigh on the next. */
function alone(script: string, ...args: readonly string[]): string {
  const path = fileURLToPath(new URL(script, import.meta.url));
  return execFileSync(process.execPath, ["--expose-gc", "--no-warnings", "--import", "tsx", path, ...args], {
    encoding: "utf8",
  });
}

/** What we promise: ratios against a peer of the same run, and what does not depend on the machine. */
function barsOf(all: Figures): Bar[] {
  const ratio = (table: Record<string, number>): number => (table[US] ?? Number.NaN) / (table[PEER] ?? Number.NaN);
  return [
    {
      what: "success, watchdogs and breaker on, against cockatiel's retry alone",
      figure: ratio(all.successNs),
      atMost: 1,
    },
    {
      what: "a stream of 20 tokens against a pass-through generator",
      figure: (all.stream20TokensUs[US] ?? Number.NaN) / (all.stream20TokensUs["pass-through generator"] ?? Number.NaN),
      atMost: 2,
    },
    { what: "a retry 1 ms later against cockatiel", figure: ratio(all.delayedRetryUs), atMost: 0.5 },
    { what: "one retry against cockatiel", figure: ratio(all.oneRetryUs), atMost: 0.25 },
    {
      what: "a retry without delay: µs that the caller waits",
      figure: all.zeroDelayWaitUs[US] ?? Number.NaN,
      atMost: 50,
    },
    { what: "heap per pending retry against cockatiel", figure: ratio(all.heapPerPendingBytes), atMost: 1 },
    { what: "heap per pending retry, bytes", figure: all.heapPerPendingBytes[US] ?? Number.NaN, atMost: 600 },
    { what: "10,000 calls on one signal against 1,000, per call", figure: all.leftovers.sharedSignalGrowth, atMost: 2 },
    { what: "listeners left", figure: all.leftovers.listenersLeft, atMost: 0 },
    { what: "timers left", figure: all.leftovers.timersLeft, atMost: 0 },
  ];
}

function report(all: Figures, bars: readonly Bar[]): void {
  console.log(
    `Node ${all.node}, ${rounds} interleaved rounds; in the first table each engine alone, the median of ${PROCESSES} processes\n`,
  );
  table("A call that succeeds at first: added CPU", "ns", all.successNs);
  table("One failure, one retry without delay (peers sleep at least a timer): added CPU", "µs", all.oneRetryUs);
  table(
    "One failure, one retry 1 ms later, 500 callers of one wrapper (everyone needs a timer): added CPU",
    "µs",
    all.delayedRetryUs,
  );
  table("A retry without delay: what the caller waits, wall clock, median", "µs", all.zeroDelayWaitUs);
  table(`Heap while waiting for a retry, ${PENDING.toLocaleString("en")} at a time`, "B each", all.heapPerPendingBytes);
  table("A stream of 20 tokens: added CPU", "µs", all.stream20TokensUs);
  console.log("What we promise");
  for (const { what, figure, atMost } of bars) {
    console.log(
      `  ${figure <= atMost ? "reached" : "MISSED "}  ${round(figure).padStart(8)} (at most ${atMost})  ${what}`,
    );
  }
}

function table(title: string, unit: string, values: Record<string, number>): void {
  console.log(title);
  const peer = values[PEER];
  for (const [name, value] of Object.entries(values).sort(([, a], [, b]) => a - b)) {
    const times = peer === undefined ? "" : `  ${round(value / peer)}×`;
    console.log(`  ${name.padEnd(34)}${round(value).padStart(10)} ${unit}${times}`);
  }
  console.log("");
}

function round(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

/** On stderr and only for people: the result on stdout stays clean. */
function progress(what: string): (round: number) => void {
  return (done) => {
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${what}, round ${done + 1}…`);
  };
}
