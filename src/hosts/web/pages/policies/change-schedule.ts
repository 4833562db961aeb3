import { type ScheduleSpec, schedule } from "../../../../kernel/index.ts";

const MOST_STEPS = 6;

/** The schedule as another type: its limits stay, and its first delays as far as the type allows. */
export function changeType(spec: ScheduleSpec, type: ScheduleSpec["type"]): ScheduleSpec {
  const { capMs, jitter, budgetMs, atMost } = spec;
  const limits = {
    ...(capMs !== undefined && { capMs }),
    ...(jitter !== undefined && { jitter }),
    ...(budgetMs !== undefined && { budgetMs }),
    ...(atMost !== undefined && { atMost }),
  };
  const delays = firstDelays(spec);
  const [firstMs = 1000] = delays;
  switch (type) {
    case "exponential":
      return { type, baseMs: firstMs, factor: 2, ...limits };
    case "fibonacci":
      return { type, unitMs: firstMs, ...limits };
    case "stepped":
      return { type, stepsMs: delays.length === 0 ? [firstMs] : delays, ...limits };
    case "fixed":
      return { type, delayMs: firstMs, ...limits };
    default:
      return type satisfies never;
  }
}

/** Until they stay the same. */
function firstDelays(spec: ScheduleSpec): readonly number[] {
  const { delayFor } = schedule({ ...spec, atMost: MOST_STEPS });
  const delays: number[] = [];
  for (let retry = 1; retry <= MOST_STEPS; retry++) {
    const delayMs = delayFor(retry);
    if (delayMs === undefined || delayMs === delays.at(-1)) break;
    delays.push(delayMs);
  }
  return delays;
}
