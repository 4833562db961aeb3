import { computed, ref, watchEffect } from "vue";
import { remember, remembered } from "../texts/language.ts";

const STORED = "secondwind.theme";
const system = window.matchMedia("(prefers-color-scheme: dark)");
const systemIsDark = ref(system.matches);
system.addEventListener("change", ({ matches }) => {
  systemIsDark.value = matches;
});
const chosen = ref(remembered(STORED));

export const isDark = computed(() => (chosen.value === undefined ? systemIsDark.value : chosen.value === "dark"));

/** The other theme. The system's own is not stored, so that the page follows the system again. */
export function toggleTheme(): void {
  chosen.value = isDark.value ? "light" : "dark";
  remember(STORED, chosen.value);
}

watchEffect(() => {
  const { dataset } = document.documentElement;
  if (chosen.value === "light" || chosen.value === "dark") dataset.theme = chosen.value;
  else delete dataset.theme;
});
