import type { Texts } from "./language.ts";

const en = {
  title: "Activity",
};

export type ActivityTexts = typeof en;

const zh: ActivityTexts = {
  title: "活动",
};

export const ACTIVITY_TEXTS: Texts<ActivityTexts> = { en, zh };
