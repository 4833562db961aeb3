import { defineStore } from "pinia";
import { shallowRef } from "vue";
import type { ActivityAttempt } from "../../../../wire/http/activity.ts";

/** What is being asked about. Outlives the page, so that a look at another one loses nothing; never in the address or the storage. */
export const useWhy = defineStore("why", () => ({
  text: shallowRef(""),
  /** Chosen by hand; empty: recognised from the text. */
  provider: shallowRef(""),
  /** A recorded attempt in place of a text. */
  attempt: shallowRef<ActivityAttempt>(),
}));
