import type { ActivitySummary } from "../../../../wire/http/activity.ts";
import type { TrackTexts } from "../../texts/track.ts";
import { FAILURE_GROUPS, type FailureGroup, groupOf } from "../../track/failure-groups.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The span of the totals: "3 min", "24 h", "7 days". */
export function saySpan({ since, at }: ActivitySummary, texts: TrackTexts): string {
  const ms = Math.max(MINUTE, at - since);
  const { units, unitSpace } = texts;
  if (ms <= 90 * MINUTE) return `${Math.ceil(ms / MINUTE)}${unitSpace}${units.minute}`;
  if (ms <= 2 * DAY) return `${Math.round(ms / HOUR)}${unitSpace}${units.hour}`;
  return `${Math.round(ms / DAY)}${unitSpace}${units.day}`;
}

/** "98.8 %". Never rounded up to 100 while something failed, nor down to 0 while something was answered. */
export function sayShare(part: number, whole: number): string {
  if (whole <= 0) return "–";
  if (part === whole) return "100\u00a0%";
  const percent = (part / whole) * 100;
  const shown = Math.min(99.9, Math.max(part > 0 ? 0.1 : 0, Math.round(percent * 10) / 10));
  return `${shown}\u00a0%`;
}

export interface GroupCount {
  readonly group: FailureGroup;
  readonly count: number;
  readonly providers: readonly { readonly provider: string; readonly count: number }[];
}

/** Failures by group, most frequent first. Those that were only stopped are no failures of a provider. */
export function failuresByGroup({ failures }: ActivitySummary): readonly GroupCount[] {
  return FAILURE_GROUPS.map((group) => {
    const mine = failures.filter(({ kind }) => kind !== "aborted" && groupOf(kind) === group);
    return { group, count: sum(mine), providers: totals(mine) };
  })
    .filter(({ count }) => count > 0)
    .sort((one, other) => other.count - one.count);
}

export interface ProviderCount {
  readonly provider: string;
  readonly count: number;
  readonly groups: readonly { readonly group: FailureGroup; readonly count: number }[];
}

export function failuresByProvider(summary: ActivitySummary): readonly ProviderCount[] {
  const groups = failuresByGroup(summary);
  const providers = totals(summary.failures.filter(({ kind }) => kind !== "aborted"));
  return providers.map(({ provider, count }) => ({
    provider,
    count,
    groups: groups.flatMap(({ group, providers: all }) => {
      const found = all.find((one) => one.provider === provider);
      return found === undefined ? [] : [{ group, count: found.count }];
    }),
  }));
}

function totals(failures: ActivitySummary["failures"]): { provider: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { provider, count } of failures) counts.set(provider, (counts.get(provider) ?? 0) + count);
  return [...counts].map(([provider, count]) => ({ provider, count })).sort((one, other) => other.count - one.count);
}

const sum = (counts: readonly { readonly count: number }[]): number =>
  counts.reduce((total, { count }) => total + count, 0);

export const savedCalls = ({ saved }: ActivitySummary): number => saved.reduce((total, { calls }) => total + calls, 0);
