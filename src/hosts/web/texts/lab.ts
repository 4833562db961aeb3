import type { Texts } from "./language.ts";

const en = {
  title: "Lab",
};

export type LabTexts = typeof en;

const zh: LabTexts = {
  title: "实验室",
};

export const LAB_TEXTS: Texts<LabTexts> = { en, zh };
