import type { ToolSpec } from "../providers/provider.ts";

/** What a tool learns about the call that it answers. */
export interface ToolContext {
  readonly toolCallId: string;
  /** Aborts with the turn. A tool that ignores it is not waited for. */
  readonly signal: AbortSignal;
  /** Asks a model, with separate retries, parallel to those of other calls. Rejects with the provider's words. */
  ask(question: ToolQuestion): Promise<string>;
}

export interface ToolQuestion {
  readonly prompt: string;
  readonly system?: string;
  /** Whose model answers, where the host knows roles. */
  readonly role?: string;
}

/** Something that the model may call. Its arguments come from a model: the tool checks them. */
export interface Tool {
  readonly spec: ToolSpec;
  /** The text that the model gets to read. Whatever is thrown becomes a result too, marked as an error. */
  run(args: Readonly<Record<string, unknown>>, context: ToolContext): Promise<string> | string;
}
