import { type ComputedRef, computed, readonly, ref } from "vue";

export type Language = "en" | "zh";

/** The texts of one page, in both languages. The English object is the type of both. */
export interface Texts<T> {
  readonly en: T;
  readonly zh: T;
}

const STORED = "secondwind.language";
const chosen = ref<Language>(first());

function first(): Language {
  const stored = remembered(STORED);
  if (stored === "en" || stored === "zh") return stored;
  const languages = typeof navigator === "undefined" ? [] : navigator.languages;
  return /^zh\b/i.test(languages[0] ?? "") ? "zh" : "en";
}

export const language = readonly(chosen);

export function chooseLanguage(next: Language): void {
  chosen.value = next;
  remember(STORED, next);
}

/** The texts in the language of the page: `const t = useTexts(CHAT_TEXTS)`, `t.send` in a template, `t.value.send` in a script. */
export function useTexts<T>(texts: Texts<T>): ComputedRef<T> {
  return computed(() => texts[chosen.value]);
}

/** localStorage throws where the browser forbids it; the page works without. */
export function remember(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // Forgotten at the next visit.
  }
}

export function remembered(name: string): string | undefined {
  try {
    return localStorage.getItem(name) ?? undefined;
  } catch {
    return undefined;
  }
}
