import type { Failure } from "../model/failure.ts";
import type { Target } from "../model/target.ts";
import type { Generation } from "./generation.ts";
import { Trail } from "./trail.ts";
import type { TrailState } from "./trail-state.ts";

/**
 * A generation in a wait, as plain JSON: it goes on from here in another process, hours later. Times are wall time. Targets and
 * schedules stand by their names, because the process that resumes it may have other keys or a newer policy.
 */
export interface SavedGeneration {
  readonly version: 1;
  readonly attempts: number;
  /** Epoch milliseconds: when it started, and when the wait ends. */
  readonly startedAt: number;
  readonly until: number;
  readonly target: Target;
  /** Where it goes after the wait. */
  readonly next: Target;
  readonly failure: Omit<Failure, "cause"> | null;
  readonly used: Readonly<Record<string, readonly [retries: number, drawnMs: number]>>;
  readonly leftSinceWait: readonly Target[];
  readonly spent: readonly Target[];
  /** What else the generation remembers. Its form belongs to the engine. */
  readonly trail: object;
}

/** The {@link SavedGeneration.trail}, as the engine reads it. */
type SavedTrail = Omit<TrailState, "failure" | "waitTo" | "used" | "drawnMs" | "waitedAfter" | "rare"> & {
  readonly waitedAfter: number | null;
  readonly rare: Omit<TrailState["rare"], "leftSinceWait" | "spent">;
};

export interface Resumption {
  readonly saved: SavedGeneration;
  /** `retry-now`: a person has ended the wait; health is not asked. */
  readonly by: "elapsed" | "retry-now";
}

export function saveGeneration(generation: Generation, until: number): SavedGeneration {
  const { ports, policy, chain } = generation.setup;
  const { failure, waitTo, used, drawnMs, waitedAfter, rare, ...plain } = generation.remember().save() as TrailState;
  const { leftSinceWait, spent, ...counts } = rare;
  const named = (positions: readonly number[]): Target[] => positions.map((at) => chain.targets[at] as Target);
  const tally = policy.scheduleNames.map((name, at) => [name, [used[at] ?? 0, drawnMs[at] ?? 0]] as const);
  return {
    version: 1,
    attempts: generation.attemptsMade,
    startedAt: ports.wallNow() - Math.max(0, ports.now() - generation.clockMs),
    until,
    target: generation.target(),
    next: chain.targets[waitTo] ?? generation.target(),
    failure: failure === undefined ? null : withoutCause(failure),
    used: Object.fromEntries(tally),
    leftSinceWait: named(leftSinceWait),
    spent: named(spent),
    trail: { ...plain, waitedAfter: waitedAfter ?? null, rare: counts } satisfies SavedTrail,
  };
}

/** Makes a new generation what the saved one was: it waits. A target that is gone counts as the first of the chain. */
export function restoreGeneration(generation: Generation, saved: SavedGeneration): void {
  const { ports, policy, chain } = generation.setup;
  const known = (target: Target): number => chain.targets.findIndex((one) => isSame(one, target));
  const positions = (targets: readonly Target[]): number[] => targets.map(known).filter((at) => at >= 0);
  // The chain's own object: targets are compared by it.
  const own = (target: Target): Target => chain.targets[known(target)] ?? target;
  const { failure, leftSinceWait, spent } = saved;
  const trail = saved.trail as SavedTrail;
  const earlier = trail.rare.earlier.map((record) => ({ ...record, target: own(record.target) }));
  const tally = policy.scheduleNames.map((name) => saved.used[name] ?? ([0, 0] as const));
  const wallMs = ports.wallNow();
  generation.clockMs = ports.now() - Math.max(0, wallMs - saved.startedAt);
  generation.wakeAtMs = Math.ceil(ports.now() + Math.max(0, saved.until - wallMs));
  generation.attemptsMade = saved.attempts;
  generation.position = Math.max(0, known(saved.target));
  const state: TrailState = {
    ...trail,
    failure: failure === null ? undefined : asFailure(failure, failure.target && own(failure.target)),
    waitTo: Math.max(0, known(saved.next)),
    waitedAfter: trail.waitedAfter ?? undefined,
    used: tally.map(([retries]) => retries),
    drawnMs: tally.map(([, drawnMs]) => drawnMs),
    rare: { ...trail.rare, earlier, leftSinceWait: positions(leftSinceWait), spent: positions(spent) },
  };
  generation.trail = Trail.restore(state);
  generation.state = "waiting";
}

function withoutCause({ cause: _, ...failure }: Failure): Omit<Failure, "cause"> {
  return failure;
}

/** JSON leaves out what is undefined. */
function asFailure(saved: Omit<Failure, "cause">, target: Target | undefined): Failure {
  const { status, code, hintMs } = saved;
  return { ...saved, status, code, hintMs, target, cause: undefined };
}

function isSame(one: Target, other: Target): boolean {
  return one.provider === other.provider && one.model === other.model && one.credential === other.credential;
}
