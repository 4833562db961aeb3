import type { Texts } from "./language.ts";

const en = {
  title: "Why",
};

export type WhyTexts = typeof en;

const zh: WhyTexts = {
  title: "诊断",
};

export const WHY_TEXTS: Texts<WhyTexts> = { en, zh };
