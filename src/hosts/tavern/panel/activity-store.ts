import { defineStore } from "pinia";
import { shallowReactive } from "vue";
import type { GenerationEvent } from "../../../kernel/index.ts";
import type { Carried } from "../carry/carried.ts";

/** A generation under way, as the status line shows it. */
export interface Activity {
  readonly id: string;
  /** Calls made so far, the first included. */
  readonly attempt: number;
  readonly model: string;
  /** When the wait ends, in epoch milliseconds; undefined: an attempt runs. */
  readonly until: number | undefined;
  /** What went wrong last, in the endpoint's words. */
  readonly problem: string;
  readonly carried: Carried;
}

/** What is under way, from the first attempt to the end. */
export const createActivityStore = () =>
  defineStore("activity", () => {
    const underWay = shallowReactive(new Map<string, Activity>());

    function hear(event: GenerationEvent, carried: Carried): void {
      const id = event.generationId;
      if (event.type === "generation-end") {
        underWay.delete(id);
        return;
      }
      const known = underWay.get(id);
      const next = nextActivity(event, known ?? { id, attempt: 1, model: "", until: undefined, problem: "", carried });
      if (next !== known && next !== undefined) underWay.set(id, next);
    }

    return { underWay, hear, clear: () => underWay.clear() };
  })();

export type ActivityStore = ReturnType<typeof createActivityStore>;

function nextActivity(event: GenerationEvent, activity: Activity): Activity | undefined {
  switch (event.type) {
    case "attempt-start":
      return { ...activity, attempt: event.attempt, until: undefined };
    case "wait-start":
      return { ...activity, until: event.until, problem: event.failure.message };
    case "wait-end":
      return { ...activity, until: undefined };
    case "target-switch":
      return { ...activity, model: event.to.model, problem: event.failure?.message ?? activity.problem };
    default:
      return undefined;
  }
}
