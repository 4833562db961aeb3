import {
  type AttemptContext,
  CallGeneration,
  type CallSetup,
  type ClassifyRule,
  definePolicy,
  FAILURE_KINDS,
  type Health,
  type Policy,
} from "../../kernel/index.ts";
import { setupOf } from "../../library/setup.ts";
import type { VirtualWorld } from "../../simulator/world/index.ts";
import type { ActivityRecord } from "../../wire/http/activity.ts";
import { chainOfRecord, isSameTarget, RecordedTarget, type Reply } from "./recorded-target.ts";

/** Tokens come at least this often: a watchdog sees that the model is alive. */
const TOKEN_MS = 5000;
/** An error of this code has the kind that follows. */
const CODE = "secondwind_recorded_";
/** A policy without a limit would retry for ever what never answered. */
const MOST_ATTEMPTS = 200;

/** What became of a generation. */
export interface Replayed {
  readonly ok: boolean;
  readonly attempts: number;
  readonly waitedMs: number;
}

/** The policy, made to recognise what was recorded. Its own rules by status and provider still come first. */
export function recognising(policy: Policy): Policy {
  const recorded = FAILURE_KINDS.map(
    (kind): ClassifyRule => ({ name: `recorded ${kind}`, when: { code: `${CODE}${kind}` }, kind }),
  );
  // Nothing of an answer is recorded that could be checked.
  return definePolicy({ classify: [...policy.classify, ...recorded], require: null, filter: null }, policy);
}

interface ReplaySetup {
  readonly world: VirtualWorld;
  /** Made by `recognising`. */
  readonly policy: Policy;
  /** Shared by all generations, as in the server. */
  readonly health: Health;
  /** 0 to 1. */
  readonly chance: number;
}

/**
 * One recorded generation, once more, with another policy: the real engine against the recorded targets. Returns a function that says
 * how it stands.
 */
export function replay(record: ActivityRecord, setup: ReplaySetup): () => Replayed {
  const { world, policy, health, chance } = setup;
  const startMs = world.nowMs;
  const targets = new Map<string, RecordedTarget>();
  const recordedAt = (context: AttemptContext): RecordedTarget => {
    const { provider, model, credential } = context.target;
    const key = `${provider}\0${model}\0${credential}`;
    const own = record.attempts.filter(({ target }) => isSameTarget(target, context.target));
    const known = targets.get(key) ?? new RecordedTarget(record.startedAt, own, chance);
    targets.set(key, known);
    return known;
  };
  const call = (context: AttemptContext): Promise<unknown> => {
    if (context.attempt >= MOST_ATTEMPTS) generation.giveUp();
    return play(recordedAt(context).replyAt(world.nowMs - startMs), context, world, generation);
  };
  const engine: CallSetup = {
    ...setupOf(policy, { ports: world.ports, targets: chainOfRecord(record), health }),
    textOf: () => undefined,
    present: () => undefined,
  };
  const generation = new ReplayedGeneration(engine, call, () => undefined, undefined, "");
  // The same words mean that the same request fails again and again; which words there were is not recorded.
  generation.hasSameWords = record.outcome === "hopeless";
  generation.start();
  return () => {
    const { complete, attempts, waitedMs } = generation.receipt;
    return { ok: complete, attempts, waitedMs };
  };
}

/** A streamed answer without a consumer: past the commit point nothing is retried. */
class ReplayedGeneration extends CallGeneration {
  isCommitted = false;
  hasSameWords = false;

  override canReplay(): boolean {
    return !this.isCommitted;
  }

  override hasDelivered(): boolean {
    return this.isCommitted;
  }
}

function play(
  reply: Reply | undefined,
  { attempt, progress, signal }: AttemptContext,
  world: VirtualWorld,
  generation: ReplayedGeneration,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    // Nothing is recorded of this target but aborts.
    if (reply === undefined) return reject(errorOf({ ok: false, kind: "unknown" } as FailedReply, ""));
    const after = (ms: number, what: () => void): void => {
      world.after(ms, () => {
        if (!signal.aborted) what();
      });
    };
    if (reply.contentAfterMs !== undefined) {
      const alive = (): void => {
        progress();
        if (!reply.ok) generation.isCommitted = true;
      };
      for (let ms = reply.contentAfterMs; ms < reply.afterMs || ms === reply.contentAfterMs; ms += TOKEN_MS) {
        after(ms, alive);
      }
    }
    if (reply.ok) return after(reply.afterMs, () => resolve(true));
    // Silence lasts as long as the policy bears it; without a limit as long as it was recorded.
    const { firstContentMs, idleMs } = generation.policy.watchdog;
    const isSilence = reply.kind === "silent" ? firstContentMs !== null : reply.kind === "stalled" && idleMs !== null;
    if (isSilence) return;
    const words = generation.hasSameWords ? "the same words" : `words ${attempt}`;
    after(reply.afterMs, () => reject(errorOf(reply, words)));
  });
}

type FailedReply = Extract<Reply, { ok: false }>;

/** As an SDK throws it. */
function errorOf({ kind, status, hintMs }: FailedReply, message: string): object {
  const headers = hintMs === undefined ? {} : { "retry-after-ms": String(Math.ceil(hintMs)) };
  return { message, code: `${CODE}${kind}`, headers, ...(status !== undefined && { status }) };
}
