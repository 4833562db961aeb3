import type { Figures, ScenarioName } from "../src/simulator/lab/index.ts";
import type { Cell } from "./cells.ts";

/** What `default` must reach in one cell. */
export interface Bar {
  readonly what: "failed" | "amplification" | "wasted" | "wait" | "wait, of the best" | "peak" | "recovery";
  readonly value: number;
  readonly atMost: number;
  readonly isReached: boolean;
  /** For a comparison: the policy that set the bar. */
  readonly than?: string;
}

export type FiguresByPolicy = Readonly<Record<string, Figures>>;

/** Prints as 0.0 %. */
const NONE_FAILED = 0.0005;
const LOUD = 1.15;
/** Few callers learn little from each other: each one finds out about the outage with calls of its own. */
const LOUD_IF_FEW = 1.3;
const FEW = 50;
/** From so many clients on, peak and recovery are judged. */
const MANY = 1000;
/** A difference in mean wait that no one notices. */
const TINY_SECONDS = 0.05;
/**
 * An outage longer than the patience of `default` fails generations on purpose. A lone caller then makes all calls of its patience for
 * every one of them, because no other caller has learned for it.
 */
const BEYOND_PATIENCE: readonly ScenarioName[] = ["long-outage"];
/** Here waiting seldom pays, so the best of all policies counts, whatever it does to the provider. */
const PARTIAL: readonly ScenarioName[] = ["brownout", "drizzle", "drizzle-hints", "flapping"];
/** Seven in ten of a burst are rejected whatever the policy does, and the limit lets them through within three minutes. */
const BURST = { amplification: 2, peak: 50, recoverySeconds: 210 };
const USUAL = { peak: 2, recoverySeconds: 15 };

/** All bars of one cell. */
export function barsOf(cell: Cell, own: Figures, peers: FiguresByPolicy): readonly Bar[] {
  const { scenario, clients } = cell;
  const isBurst = scenario === "burst-429";
  const isLong = BEYOND_PATIENCE.includes(scenario);
  const limits = isBurst ? BURST : USUAL;
  const calm = bestWait(
    peers,
    (peer) => peer.amplification <= LOUD && peer.failed <= Math.max(own.failed, NONE_FAILED),
  );
  const any = bestWait(peers, (peer) => peer.failed < NONE_FAILED);
  return [
    ...(isLong ? [] : [bar("failed", own.failed, NONE_FAILED)]),
    ...(isLong && isFew(cell)
      ? []
      : [bar("amplification", own.amplification, isBurst ? BURST.amplification : isFew(cell) ? LOUD_IF_FEW : LOUD)]),
    bar("wasted", own.wasted, 0.02),
    ...(calm === undefined ? [] : [bar("wait", own.waited, 1.25 * calm.waited + TINY_SECONDS, calm.name)]),
    ...(any !== undefined && PARTIAL.includes(scenario)
      ? [bar("wait, of the best", own.waited, 2 * any.waited + TINY_SECONDS, any.name)]
      : []),
    ...(clients >= MANY && own.peak !== null ? [bar("peak", own.peak, limits.peak)] : []),
    ...(clients >= MANY && own.recoverySeconds !== null
      ? [bar("recovery", own.recoverySeconds, limits.recoverySeconds)]
      : []),
  ];
}

function isFew({ clients, replicas }: Cell): boolean {
  return clients / replicas < FEW;
}

function bestWait(
  peers: FiguresByPolicy,
  counts: (peer: Figures) => boolean,
): { name: string; waited: number } | undefined {
  return Object.entries(peers)
    .filter(([, figures]) => counts(figures))
    .map(([name, { waited }]) => ({ name, waited }))
    .sort((a, b) => a.waited - b.waited)[0];
}

function bar(what: Bar["what"], value: number, atMost: number, than?: string): Bar {
  return { what, value, atMost, isReached: value <= atMost, ...(than !== undefined && { than }) };
}
