import type { Texts } from "./language.ts";

const en = {
  title: "Chat",
};

export type ChatTexts = typeof en;

const zh: ChatTexts = {
  title: "对话",
};

export const CHAT_TEXTS: Texts<ChatTexts> = { en, zh };
