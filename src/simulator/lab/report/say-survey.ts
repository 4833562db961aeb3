import { sayDuration } from "../../../kernel/model/say-duration.ts";
import type { Figures } from "../figures-of.ts";
import { burstSize } from "../run-lab.ts";
import type { Survey } from "../survey.ts";

/** How large the outage is. */
export function sayScale({ scenario, clients, outageMs }: Survey): string {
  const who = clients === 1 ? "one person" : `${clients} clients`;
  if (scenario.start === "burst") return `${burstSize(clients)} calls from ${who}.`;
  const load = `${scenario.load * 100} % load`;
  if (scenario.start === "at-once") return `${who[0]?.toUpperCase()}${who.slice(1)}, ${load} afterwards.`;
  return `For ${sayDuration(outageMs)}, ${who}, ${load}.`;
}

/** How many seeds the figures cover. */
export function sayRuns({ policies, seeds, isWhole }: Survey): string {
  const hasPeak = policies.some(({ figures }) => figures !== undefined && figures.peak !== null);
  const worst = hasPeak ? "; peak and recovery are those of the worst seed" : "";
  const runs = Math.min(...policies.map((policy) => policy.runs));
  if (isWhole) return seeds === 1 ? "One seed." : `${seeds} seeds together${worst}.`;
  if (runs === 0) return "Stopped before the first run had finished.";
  return `Stopped early: ${runs} of ${seeds} seeds together${worst}.`;
}

/** Why figures are missing. */
export function sayMissing({ scenario, policies, clients }: Survey): readonly string[] {
  const figures = policies.flatMap((policy) => policy.figures ?? []);
  if (figures.length === 0) return [];
  const isMissing = (key: keyof Figures): boolean => figures.every((each) => each[key] === null);
  return [
    ...(isMissing("peak") ? [noPeak(scenario.isConstant, clients)] : []),
    ...(isMissing("served") && scenario.start === "steady"
      ? ["No served: the provider could not give an answer during the outage."]
      : []),
  ];
}

function noPeak(isConstant: boolean, clients: number): string {
  if (isConstant) return "No peak or recovery: the conditions are the same before, during and after.";
  return clients === 1
    ? "No peak or recovery: with one person they would be chance."
    : "No peak or recovery: below 500 clients they are mostly chance.";
}
