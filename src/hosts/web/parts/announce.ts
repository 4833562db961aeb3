import { shallowRef } from "vue";

/** What the page's one polite live region reads out. */
export const announced = shallowRef("");

/** Read out once by screen readers. The same text again is read again. */
export function announce(text: string): void {
  announced.value = announced.value === text ? `${text}\u00a0` : text;
}
