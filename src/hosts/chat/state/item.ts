/** One entry of the transcript. Texts are raw: the layout cleans them. */
export type Item = TextItem | AssistantItem | ToolItem | NoticeItem;

/** A message of the user, or the output of a command as Markdown. */
interface TextItem {
  readonly kind: "user" | "page";
  readonly id: string;
  readonly text: string;
}

export interface AssistantItem {
  readonly kind: "assistant";
  readonly id: string;
  readonly text: string;
  readonly reasoning: string;
  readonly isStreaming: boolean;
  /** How it ended, unless normally: the provider's message, or ours. */
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

/** A message from the program: a switch, a failed retry. */
interface NoticeItem {
  readonly kind: "notice";
  readonly id: string;
  readonly tone: Tone;
  readonly text: string;
  /** Shortened to one line. */
  readonly isOneLine?: boolean;
  /** The provider's message, verbatim: shown when expanded. */
  readonly details?: string;
}
