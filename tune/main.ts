import { defaultPolicy } from "../src/presets/index.ts";
import type { Figures } from "../src/simulator/lab/index.ts";
import { barsOf } from "./bars.ts";
import { type Cell, cellsOf, isCostly } from "./cells.ts";
import { command } from "./command.ts";
import { type Gathered, gather } from "./gather.ts";
import { type Goals, goalsOf } from "./goals.ts";
import { type Candidate, combineAll, GRID, parseAxis, varyEach } from "./grid.ts";
import { COMMON_USAGE, parseOptions } from "./options.ts";
import { dominates, paretoFront } from "./pareto.ts";
import { TUNING_SEEDS, takeSeeds } from "./seeds.ts";
import { writeJson } from "./write-json.ts";

const USAGE = `Usage: npm run tune -- [options]

Tries figures of the default policy in every scenario at every size, and prints those that no other choice beats
(the Pareto front). Without --set, each figure in tune/grid.ts is varied alone; with --set, all combinations are tried.

  --set PATH=A,B    values for one figure, such as breaker.cooldownMs=1000,2000; may be repeated
${COMMON_USAGE}

Three goals, lower is better:
  lost   generations without an answer, on average over the cells (a cell is a scenario at a size)
  wait   mean wait, as a multiple of the shortest in each cell, on average
  load   calls per generation, as a multiple of the fewest in each cell, on average

Leaves out long-outage with 10,000 clients unless --scenarios or --clients is given.
Uses the seeds from ${TUNING_SEEDS.first} on; npm run judge has others. Ctrl-C prints what is finished.`;

/** Large runs vary less and cost more. */
const SEEDS_BY_SIZE = [
  [5, 10],
  [50, 5],
  [1000, 3],
  [Number.POSITIVE_INFINITY, 1],
] as const;

interface Tried extends Candidate {
  readonly cells: readonly Figures[];
  readonly goals: Goals;
  /** Bars that do not depend on other policies. */
  readonly missed: number;
}

await command(async (args) => {
  const options = parseOptions(args, ["set"]);
  if (options.isHelp) {
    console.log(USAGE);
    return 0;
  }
  const axes = options.sets.map(parseAxis);
  const candidates = axes.length === 0 ? varyEach(GRID, defaultPolicy()) : combineAll(axes, defaultPolicy());
  const isChosen = options.clients !== undefined || options.scenarios !== undefined;
  const cells = cellsOf(options).filter((cell) => isChosen || !isCostly(cell));
  const seedsFor = ({ clients }: Cell): readonly number[] => {
    const usual = SEEDS_BY_SIZE.find(([most]) => clients <= most)?.[1] ?? 1;
    return takeSeeds(TUNING_SEEDS, options.seeds ?? usual);
  };
  const gathered = await gather({
    cells,
    runners: candidates.map(({ name, changes }) => ({ name, policy: changes })),
    seedsFor,
    processes: options.processes,
  });
  const finished = finishedCells(cells, candidates, gathered);
  const tried = judge(finished, candidates, gathered);
  const front = paretoFront(tried, goalList);
  print(tried, front, finished.length, cells.length);
  if (options.out !== undefined) {
    const names = front.map(({ name }) => name);
    writeJson(options.out, {
      cells: finished,
      tried: tried.map((each) => ({ ...each, isOnFront: names.includes(each.name) })),
    });
  }
  return gathered.isWhole ? 0 : 130;
});

/** The cells that every candidate has finished: only those compare. */
function finishedCells(
  cells: readonly Cell[],
  candidates: readonly Candidate[],
  { outcomeOf }: Gathered,
): readonly Cell[] {
  return cells.filter((cell) => candidates.every(({ name }) => outcomeOf(cell, name) !== undefined));
}

function judge(cells: readonly Cell[], candidates: readonly Candidate[], { outcomeOf }: Gathered): readonly Tried[] {
  const figures = candidates.map(({ name }) => cells.flatMap((cell) => outcomeOf(cell, name)?.figures ?? []));
  const goals = goalsOf(figures);
  return candidates.flatMap((candidate, index) => {
    const own = figures[index] ?? [];
    const bars = own.flatMap((each, at) => barsOf(cells[at] as Cell, each, {}));
    const missed = bars.filter(({ isReached }) => !isReached).length;
    return goals[index] === undefined ? [] : [{ ...candidate, cells: own, goals: goals[index], missed }];
  });
}

function goalList({ goals }: Tried): readonly number[] {
  return [goals.lost, goals.wait, goals.load];
}

function print(tried: readonly Tried[], front: readonly Tried[], finished: number, all: number): void {
  if (finished === 0) {
    console.log("Stopped before a cell was finished for every policy.");
    return;
  }
  const own = tried.find(({ name }) => name === "default");
  const isOnFront = own !== undefined && front.includes(own);
  console.log(`Pareto front: ${front.length} of ${tried.length} policies, ${finished} of ${all} cells\n`);
  console.log("      lost    wait    load  bars missed  policy");
  for (const each of [...front].sort((a, b) => a.goals.wait - b.goals.wait)) console.log(row(each));
  if (own === undefined) return;
  if (isOnFront) {
    console.log("\n◆ default is on the front: no policy here is as good in everything and better in something.");
    return;
  }
  const better = tried.filter((each) => dominates(goalList(each), goalList(own)));
  console.log(
    `\n${row(own)}\n\n◆ default is not on the front: ${sayCount(better.length)} as good in everything and better in something.`,
  );
}

function sayCount(count: number): string {
  return count === 1 ? "one policy here is" : `${count} policies here are`;
}

function row({ name, goals, missed }: Tried): string {
  const cells = [`${(goals.lost * 100).toFixed(2)} %`, `${goals.wait.toFixed(2)}×`, `${goals.load.toFixed(3)}×`];
  const mark = name === "default" ? "◆" : " ";
  return `${mark} ${cells.map((cell) => cell.padStart(8)).join("")}  ${String(missed).padStart(11)}  ${name}`;
}
