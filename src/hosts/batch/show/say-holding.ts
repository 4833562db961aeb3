import type { GenerationEvent, PaceFacts } from "../../../kernel/index.ts";
import { sayDuration, sayReason } from "../../../terminal/index.ts";

export type WaitStart = Extract<GenerationEvent, { type: "wait-start" }>;

interface Wait {
  readonly start: WaitStart;
  readonly leftMs: number;
}

export interface Holding {
  readonly facts: readonly PaceFacts[];
  /** The wait of a line that ends last, and how long it still takes; undefined: none waits. */
  readonly wait: Wait | undefined;
  /** No line was answered in the last minute. */
  readonly isStalled: boolean;
}

/** What keeps the batch from going faster, in words; empty: nothing. */
export function sayHolding({ facts, wait, isStalled }: Holding): string {
  if (isStalled && wait !== undefined) return sayWait(wait, facts);
  const limited = facts.find(
    ({ reason, perMinute }) => reason !== undefined && reason !== "width" && perMinute !== undefined,
  );
  if (limited !== undefined) {
    return `${limited.target.provider}: rate limited, ${sayPerMinute(limited.perMinute ?? 0)}`;
  }
  const isIdle = facts.every(({ underWay }) => underWay === 0);
  if (isIdle && wait !== undefined) return sayWait(wait, facts);
  const narrow = facts.find(({ reason, isNarrow }) => reason === "width" && isNarrow);
  if (narrow !== undefined) {
    const { target, width } = narrow;
    return `${target.provider}: ${width === 1 ? "one call" : `${width} calls`} at a time`;
  }
  return "";
}

function sayWait({ start, leftMs }: Wait, facts: readonly PaceFacts[]): string {
  const provider = start.failure.target?.provider ?? facts[0]?.target.provider;
  const reason = sayReason(start.failure, start.failure.message);
  return `${provider === undefined ? "" : `${provider}: `}${reason}; next try in ${sayDuration(Math.max(1000, leftMs))}`;
}

function sayPerMinute(perMinute: number): string {
  if (perMinute >= 10) return `${Math.round(perMinute).toLocaleString("en-US")} a minute`;
  return `${Number(perMinute.toFixed(1))} a minute`;
}
