import { computed, type WritableComputedRef } from "vue";
import { type LocationQuery, useRoute, useRouter } from "vue-router";
import { FAILURE_KINDS } from "../../../../kernel/index.ts";
import { remember, remembered } from "../../texts/language.ts";
import { isScaleName, type ScaleName } from "../../track/scales.ts";
import { type Filters, OUTCOMES } from "./match-record.ts";

const SCALE_STORED = "secondwind.scale";

/** Filters and scale stand in the address: a reload keeps them, and the back button takes them back. */
export function useChoices(): {
  readonly filters: WritableComputedRef<Filters>;
  readonly scale: WritableComputedRef<ScaleName>;
} {
  const route = useRoute();
  const router = useRouter();
  let last: Filters = {};

  const filters = computed<Filters>({
    // The same object as long as nothing has changed, so that another scale loads nothing.
    get: () => {
      const read = readFilters(route.name === "activity" ? route.query : {});
      if (JSON.stringify(read) !== JSON.stringify(last)) last = read;
      return last;
    },
    set: (chosen) => {
      const { scale } = route.query;
      void router.push({ query: { ...chosen, ...(scale !== undefined && { scale }) } as LocationQuery });
    },
  });
  const scale = computed<ScaleName>({
    get: () => {
      const named = route.query.scale ?? remembered(SCALE_STORED);
      return isScaleName(named) ? named : "1min";
    },
    set: (name) => {
      remember(SCALE_STORED, name);
      void router.replace({ query: { ...route.query, scale: name } });
    },
  });
  return { filters, scale };
}

/** An address that someone typed may hold anything. */
function readFilters({ outcome, kind, provider, client, door }: LocationQuery): Filters {
  return {
    ...(isOneOf(outcome, OUTCOMES) && { outcome }),
    ...(isOneOf(kind, FAILURE_KINDS) && { kind }),
    ...(isText(provider) && { provider }),
    ...(isText(client) && { client }),
    ...(isText(door) && { door }),
  };
}

const isOneOf = <T extends string>(value: unknown, all: readonly T[]): value is T => all.includes(value as T);
const isText = (value: unknown): value is string => typeof value === "string" && value !== "" && value.length <= 200;
