import { defineStore } from "pinia";
import { shallowRef } from "vue";
import type { GenerationEvent } from "../../../kernel/index.ts";
import type { Carried } from "../carry/carried.ts";

/** A running generation, as the status line shows it. */
export interface Activity {
  readonly id: string;
  /** Calls made so far, the first included. */
  readonly attempt: number;
  readonly model: string;
  /** When the wait ends, in epoch milliseconds; undefined: an attempt runs. */
  readonly until: number | undefined;
  /** The endpoint's last error message. */
  readonly problem: string;
  readonly carried: Carried;
}

/** Shows changes together, after this delay: most calls have ended by then, and cost the panel nothing. */
const SHOW_AFTER_MS = 100;

/** The running generations. */
export const createActivityStore = () =>
  defineStore("activity", () => {
    const shown = shallowRef<readonly Activity[]>([]);
    const underWay = new Map<string, Activity>();
    let isToBeShown = false;

    function hear(event: GenerationEvent, carried: Carried): void {
      const id = event.generationId;
      if (event.type === "generation-end") underWay.delete(id);
      else {
        const known = underWay.get(id) ?? { id, attempt: 1, model: "", until: undefined, problem: "", carried };
        underWay.set(id, nextActivity(event, known));
      }
      if (isToBeShown) return;
      isToBeShown = true;
      setTimeout(show, SHOW_AFTER_MS);
    }

    function show(): void {
      isToBeShown = false;
      if (underWay.size > 0 || shown.value.length > 0) shown.value = [...underWay.values()];
    }

    return { shown, hear };
  })();

export type ActivityStore = ReturnType<typeof createActivityStore>;

function nextActivity(event: GenerationEvent, activity: Activity): Activity {
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
      return activity;
  }
}
