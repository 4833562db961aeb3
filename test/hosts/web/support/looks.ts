import { often } from "../../../support/soak.ts";

/** Width, dark, language: the pairs that differ in everything first. */
const ALL = [
  [1280, false, "en-US"],
  [360, true, "zh-CN"],
  [1280, true, "zh-CN"],
  [360, false, "en-US"],
] as const;

/** The looks in which a page is inspected: two in every run, all with `npm run soak`. */
export const LOOKS = ALL.slice(0, often(2, ALL.length));
