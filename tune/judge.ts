import { type Bar, barsOf, type FiguresByPolicy } from "./bars.ts";
import { type Cell, cellsOf, isCostly, keyOf, SIZES } from "./cells.ts";
import { command } from "./command.ts";
import { gather, type Outcome, type Runner } from "./gather.ts";
import { seedsOfJudge } from "./judging.ts";
import { COMMON_USAGE, parseOptions } from "./options.ts";
import { areApart, JUDGING_SEEDS, TUNING_SEEDS } from "./seeds.ts";
import { writeJson } from "./write-json.ts";

const USAGE = `Usage: npm run judge -- [options]

Runs the default policy and its peers through every scenario at every size, on seeds that were not used for tuning
(${JUDGING_SEEDS.first} to ${JUDGING_SEEDS.first + JUDGING_SEEDS.most - 1}), and checks every bar.

  --quick           four seeds, up to 1000 clients
${COMMON_USAGE}

Exit code 1 if a bar is missed, 130 after Ctrl-C (cells that are finished are still judged).`;

const OWN = "default";
const PEERS = ["console", "patient", "p-retry", "cockatiel", "aws-standard", "resilience4j"];
const QUICK = { seeds: 4, clients: SIZES.filter((size) => size <= 1000) };

interface Judged extends Cell {
  readonly policies: Readonly<Record<string, Outcome>>;
  readonly bars: readonly Bar[];
}

await command(async (args) => {
  const options = parseOptions(args, ["quick"]);
  if (options.isHelp) {
    console.log(USAGE);
    return 0;
  }
  if (!areApart(TUNING_SEEDS, JUDGING_SEEDS)) throw new RangeError("Seeds for tuning and judging overlap");
  const cells = cellsOf({ ...(options.isQuick && { clients: QUICK.clients }), ...options });
  const most = options.seeds ?? (options.isQuick ? QUICK.seeds : JUDGING_SEEDS.most);
  const runners: readonly Runner[] = [OWN, ...PEERS].map((name) => ({ name, policy: name }));
  const seedsFor = (cell: Cell, { name }: Runner): readonly number[] =>
    seedsOfJudge(cell, name, most, options.replicas);
  const gathered = await gather({ cells, runners, seedsFor, processes: options.processes });
  const judged = cells.flatMap((cell): Judged[] => {
    // Where replicas make no difference to a policy, it has run with one of them only.
    const one = { ...cell, replicas: 1 };
    const outcomes = runners.flatMap(({ name }): [string, Outcome][] => {
      const place = seedsOfJudge(cell, name, most, options.replicas).length === 0 ? one : cell;
      const outcome = gathered.outcomeOf(place, name);
      return outcome === undefined ? [] : [[name, outcome]];
    });
    if (outcomes.length < runners.length && !isCostly(cell)) return [];
    const policies = Object.fromEntries(outcomes);
    const { [OWN]: own, ...peers } = policies;
    return own === undefined ? [] : [{ ...cell, policies, bars: barsOf(cell, own.figures, figuresOf(peers)) }];
  });
  print(judged, cells.length, most);
  if (options.out !== undefined) {
    writeJson(options.out, { seeds: { first: JUDGING_SEEDS.first, count: most }, own: OWN, cells: judged });
  }
  if (!gathered.isWhole) return 130;
  return judged.some(({ bars }) => bars.some(({ isReached }) => !isReached)) ? 1 : 0;
});

function figuresOf(outcomes: Readonly<Record<string, Outcome>>): FiguresByPolicy {
  return Object.fromEntries(Object.entries(outcomes).map(([name, { figures }]) => [name, figures]));
}

function print(judged: readonly Judged[], cells: number, most: number): void {
  const width = Math.max(4, ...judged.map((cell) => keyOf(cell).length));
  console.log(
    `${"cell".padEnd(width)}  amplif.    peak  recov.  wasted  failed     wait      p95  served  bars (scenario clients/replicas)`,
  );
  for (const cell of judged) {
    const { figures } = cell.policies[OWN] as Outcome;
    const missed = cell.bars.filter(({ isReached }) => !isReached);
    console.log(
      [
        keyOf(cell).padEnd(width),
        `${figures.amplification.toFixed(2)}×`.padStart(7),
        say(figures.peak, (peak) => `${peak.toFixed(1)}×`).padStart(6),
        say(figures.recoverySeconds, (seconds) => `${seconds} s`).padStart(6),
        percent(figures.wasted).padStart(6),
        percent(figures.failed).padStart(6),
        `${figures.waited.toFixed(2)} s`.padStart(7),
        say(figures.p95Seconds, (seconds) => `${seconds.toFixed(1)} s`).padStart(7),
        say(figures.served, (share) => `${Math.round(share * 100)} %`).padStart(6),
        missed.length === 0 ? "pass" : `MISS ${missed.map(sayMiss).join("; ")}`,
      ].join("  "),
    );
  }
  const bars = judged.flatMap((cell) => cell.bars);
  const missed = bars.filter(({ isReached }) => !isReached);
  console.log(`\n${bars.length - missed.length} of ${bars.length} bars reached in ${judged.length} of ${cells} cells.`);
  console.log(
    `${most === 1 ? "One seed" : `${most} seeds`} from ${JUDGING_SEEDS.first} on; peak and recovery are those of the worst. ` +
      "At 10,000 clients: one seed for peers; long-outage with at most three seeds and no peers.",
  );
}

function sayMiss({ what, value, atMost, than }: Bar): string {
  const number = what === "failed" || what === "wasted" ? percent : (each: number) => each.toFixed(2);
  return `${what} ${number(value)} > ${number(atMost)}${than === undefined ? "" : ` (${than})`}`;
}

function say(value: number | null, format: (value: number) => string): string {
  if (value === null) return "–";
  return Number.isFinite(value) ? format(value) : "never";
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
