import { median, quiet } from "../measure.ts";
import type { Name } from "./contestants.ts";
import { OPEN_STREAMS, type Sample } from "./measures.ts";

/**
 * CPU time is the lower quartile of the rounds. The rest are medians; ratios and differences are taken within each round first, so that a
 * slow round weighs on both sides.
 */
export interface Figures {
  readonly requestsPerSecond: number;
  readonly requestsRatio: number;
  readonly cpuPerRequestUs: number;
  readonly cpuPerRequestRatio: number;
  readonly coreShare: number;
  readonly cpuPerTokenUs: number;
  readonly cpuPerTokenRatio: number;
  readonly addedFirstTokenMs: number;
  readonly addedP50Ms: number;
  readonly rssMb: number;
  readonly rssRatio: number;
}

export interface Bar {
  readonly name: Name;
  readonly what: string;
  readonly figure: number;
  readonly wanted: string;
  readonly isReached: boolean;
}

export function summarise(samples: ReadonlyMap<Name, readonly Sample[]>): Map<Name, Figures> {
  const pipe = samples.get("pipe") ?? [];
  const direct = samples.get("direct") ?? [];
  const figures = new Map<Name, Figures>();
  for (const [name, rounds] of samples) {
    const middle = (field: keyof Sample): number => median(rounds.map((sample) => sample[field]));
    const cpu = (of: readonly Sample[], field: keyof Sample): number => quiet(of.map((sample) => sample[field]));
    const ratio = (field: keyof Sample): number =>
      median(rounds.map((sample, round) => sample[field] / (pipe[round]?.[field] ?? Number.NaN)));
    const added = (field: keyof Sample): number =>
      median(rounds.map((sample, round) => sample[field] - (direct[round]?.[field] ?? Number.NaN)));
    figures.set(name, {
      requestsPerSecond: middle("requestsPerSecond"),
      requestsRatio: ratio("requestsPerSecond"),
      cpuPerRequestUs: cpu(rounds, "cpuPerRequestUs"),
      cpuPerRequestRatio: cpu(rounds, "cpuPerRequestUs") / cpu(pipe, "cpuPerRequestUs"),
      coreShare: middle("coreShare"),
      cpuPerTokenUs: cpu(rounds, "cpuPerTokenUs"),
      cpuPerTokenRatio: cpu(rounds, "cpuPerTokenUs") / cpu(pipe, "cpuPerTokenUs"),
      addedFirstTokenMs: added("firstTokenMs"),
      addedP50Ms: added("p50Ms"),
      rssMb: middle("rssMb"),
      rssRatio: ratio("rssMb"),
    });
  }
  return figures;
}

/** What we promise of our gateway, against the pipe of the same run. */
export function barsOf(figures: ReadonlyMap<Name, Figures>, name: Name): Bar[] {
  const own = figures.get(name);
  const pipe = figures.get("pipe");
  if (own === undefined || pipe === undefined) return [];
  const atMost = (what: string, figure: number, bound: number): Bar => ({
    name,
    what,
    figure,
    wanted: `at most ${bound}×`,
    isReached: figure <= bound,
  });
  return [
    {
      name,
      what: "requests a second",
      figure: own.requestsRatio,
      wanted: "at least 1.5×",
      isReached: own.requestsRatio >= 1.5,
    },
    atMost("CPU per token", own.cpuPerTokenRatio, 0.9),
    atMost("added time to first token", own.addedFirstTokenMs / pipe.addedFirstTokenMs, 1),
    atMost("added p50 at 200 requests a second", own.addedP50Ms / pipe.addedP50Ms, 1),
    atMost(`memory with ${OPEN_STREAMS} open streams`, own.rssRatio, 1.2),
  ];
}

/** A contestant without figures: it cannot run on this machine, or it is broken. */
export interface Missing {
  readonly name: Name;
  readonly reason: string;
  readonly isBroken: boolean;
}

export interface Result {
  readonly figures: ReadonlyMap<Name, Figures>;
  readonly bars: readonly Bar[];
  readonly missing: readonly Missing[];
  readonly rounds: number;
}

export function print({ figures, bars, missing, rounds }: Result): void {
  console.log(`Node ${process.version}, ${rounds} interleaved rounds; × is against pipe\n`);
  const titles = [
    "",
    "requests/s",
    "CPU/request",
    "of a core",
    "CPU/token",
    "+1st token",
    "+p50",
    `${OPEN_STREAMS} streams`,
  ];
  const rows = [...figures].map(([name, all]) => [
    name,
    `${shown(all.requestsPerSecond, 0)} ${times(all.requestsRatio)}`,
    `${shown(all.cpuPerRequestUs, 0, "µs")} ${times(all.cpuPerRequestRatio)}`,
    shown(all.coreShare, 2),
    `${shown(all.cpuPerTokenUs, 1, "µs")} ${times(all.cpuPerTokenRatio)}`,
    shown(all.addedFirstTokenMs, 2, "ms"),
    shown(all.addedP50Ms, 2, "ms"),
    `${shown(all.rssMb, 0, "MB")} ${times(all.rssRatio)}`,
  ]);
  for (const row of [titles, ...rows])
    console.log(row.map((cell, at) => (at === 0 ? cell.padEnd(11) : cell.padStart(16))).join(""));
  for (const { name, reason } of missing) console.log(`\n${name} is missing: ${reason}`);
  console.log(`\nWhat we promise, for ${bars[0]?.name ?? "none"}`);
  for (const { what, figure, wanted, isReached } of bars) {
    console.log(
      `  ${isReached ? "reached" : "MISSED "}  ${figure.toFixed(2).padStart(6)}×  ${wanted.padEnd(15)} ${what}`,
    );
  }
}

function shown(value: number, digits: number, unit = ""): string {
  return Number.isNaN(value) ? "–" : `${value.toFixed(digits)}${unit === "" ? "" : ` ${unit}`}`;
}

function times(ratio: number): string {
  return Number.isNaN(ratio) ? "" : `${ratio.toFixed(2)}×`;
}
