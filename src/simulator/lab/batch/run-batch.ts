import {
  CallGeneration,
  definePolicy,
  type Health,
  MemoryHealth,
  PacedHealth,
  type Policy,
  preparePolicy,
  type Target,
} from "../../../kernel/index.ts";
import { setupOf } from "../../../library/setup.ts";
import { backgroundPolicy } from "../../../presets/index.ts";
import { createRandom, VirtualWorld } from "../../world/index.ts";
import { NORMAL } from "../conditions.ts";
import { labEntrant } from "../lab-policies.ts";
import { lightAbort } from "../light-abort.ts";
import { ProviderModel } from "../provider-model.ts";
import { Tally } from "../tally.ts";

/** How a batch is sent: at the learned pace, or always so many lines at a time. */
export interface Feed {
  readonly name: string;
  readonly concurrency: number;
  readonly isPaced: boolean;
  /** Another package that retries, with its usual settings. Default: this engine, with the policy of `secondwind batch`. */
  readonly peer?: string;
}

export const FEEDS: readonly Feed[] = [
  { name: "paced", concurrency: 100, isPaced: true },
  { name: "10 at a time", concurrency: 10, isPaced: false },
  { name: "100 at a time", concurrency: 100, isPaced: false },
  { name: "10, p-retry", concurrency: 10, isPaced: false, peer: "p-retry" },
  { name: "100, p-retry", concurrency: 100, isPaced: false, peer: "p-retry" },
];

export interface BatchFigures {
  readonly finishSeconds: number;
  /** Calls that got 429, as a share of all. */
  readonly limited: number;
  /** Calls per line. */
  readonly amplification: number;
  /** Lines per minute, as a share of the limit. */
  readonly ofLimit: number;
  readonly failed: number;
}

export interface BatchInput {
  readonly feed: Feed;
  readonly lines: number;
  readonly seed: number;
  readonly perMinute: number;
}

const HOUR_MS = 3_600_000;
const MOST_MS = 24 * HOUR_MS;
const SERVICE_MS = 500;
const SLOTS = 500;
const TARGET: Target = { provider: "first", model: "model", credential: "" };
const LEAST_WAIT_MS = 5;
const MOST_WAIT_MS = 1000;
/** As `secondwind batch` has it. */
const POLICY: Policy = definePolicy(
  { name: "batch", maxDelayMs: null, patienceMs: 8 * HOUR_MS, budget: null },
  backgroundPolicy(),
);

/** A batch of lines against a provider that accepts so many calls in each minute: the real engine, on virtual time. */
export async function runBatch({ feed, lines, seed, perMinute }: BatchInput): Promise<BatchFigures> {
  const world = new VirtualWorld({ seed, turns: 2 });
  const tally = new Tally({ now: () => world.nowMs, seconds: MOST_MS / 1000 });
  const share = (perMinute / 60) * (SERVICE_MS / 1000 / SLOTS);
  const conditions = { ...NORMAL, quota: { share, periodMs: 60_000 } };
  const size = { slots: SLOTS, queueLimit: lines, serviceMs: SERVICE_MS };
  const provider = new ProviderModel({
    world,
    size,
    tally,
    random: createRandom(seed, 2),
    conditions: () => conditions,
  });
  const paced = feed.isPaced ? new PacedHealth(new MemoryHealth(), { first: 4, most: feed.concurrency }) : undefined;
  const peer = feed.peer === undefined ? undefined : labEntrant(feed.peer);
  const policy = peer?.policy ?? POLICY;
  const health: Health = paced ?? peer?.newHealth?.() ?? new MemoryHealth();
  const ports = { ...world.ports, newAbort: lightAbort };
  const setup = {
    ...setupOf(policy, { ports, health, targets: [{ provider: "first", model: "model" }] }),
    policy: preparePolicy(policy),
  };
  const engine = { ...setup, isTimed: false, textOf: () => undefined, present: () => undefined };
  const counts = { started: 0, open: 0, ended: 0, failed: 0, calls: 0 };
  let isArmed = false;
  const finished = new Promise<void>((resolve) => {
    const start = (): void => {
      counts.started++;
      counts.open++;
      const generation: CallGeneration = new CallGeneration(
        engine,
        (context) => {
          counts.calls++;
          return provider.call(context);
        },
        () => {
          counts.open--;
          if (!generation.ok) counts.failed++;
          if (++counts.ended === lines) resolve();
          next();
        },
        undefined,
        "",
      );
      generation.start();
    };
    const next = (): void => {
      while (counts.started < lines && counts.open < (paced === undefined ? feed.concurrency : 2 * feed.concurrency)) {
        const waitMs = paced?.freeInMs(TARGET, POLICY, world.nowMs) ?? 0;
        if (waitMs === 0) start();
        else if (isArmed) return;
        else {
          isArmed = true;
          world.after(Math.min(MOST_WAIT_MS, Math.max(LEAST_WAIT_MS, waitMs)), () => {
            isArmed = false;
            next();
          });
          return;
        }
      }
    };
    next();
  });
  await world.until(finished);
  const minutes = world.nowMs / 60_000;
  const limited = tally.series.rejected.reduce((sum, one) => sum + one, 0);
  return {
    finishSeconds: world.nowMs / 1000,
    limited: limited / counts.calls,
    amplification: counts.calls / lines,
    ofLimit: lines / minutes / perMinute,
    failed: counts.failed / lines,
  };
}
