import { shallowReactive } from "vue";
import type { TurnChoice } from "../conversation/use-conversation.ts";

/** What is written and chosen but not sent, by conversation; "" is the new one. Survives a look at another page. */
export const drafts = shallowReactive(new Map<string, string>());
export const choices = shallowReactive(new Map<string, TurnChoice>());
