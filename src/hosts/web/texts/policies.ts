import type { Texts } from "./language.ts";

const en = {
  title: "Policies",
};

export type PoliciesTexts = typeof en;

const zh: PoliciesTexts = {
  title: "策略",
};

export const POLICIES_TEXTS: Texts<PoliciesTexts> = { en, zh };
