/** One thing on the screen, from top to bottom. Texts are as they came: whoever lays them out cleans them. */
export type Item = UserItem | AssistantItem | ToolItem | NoticeItem | PageItem;

export interface UserItem {
  readonly kind: "user";
  readonly id: string;
  readonly text: string;
}

export interface AssistantItem {
  readonly kind: "assistant";
  readonly id: string;
  readonly text: string;
  readonly reasoning: string;
  readonly isStreaming: boolean;
  /** How it ended, where that is not as usual: the provider's words, or a word of ours. */
  readonly remark?: { readonly tone: "error" | "info"; readonly text: string };
}

export interface ToolItem {
  readonly kind: "tool";
  readonly id: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly result?: { readonly content: string; readonly isError: boolean };
}

export type Tone = "info" | "warn" | "error" | "good";

/** A line of ours: a switch, a retry that failed. */
export interface NoticeItem {
  readonly kind: "notice";
  readonly id: string;
  readonly tone: Tone;
  readonly text: string;
  /** What does not fit is left out. */
  readonly isOneLine?: boolean;
}

/** What a command answers, as Markdown. */
export interface PageItem {
  readonly kind: "page";
  readonly id: string;
  readonly text: string;
}
