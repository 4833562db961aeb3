import type { ToolContext } from "../../turn/index.ts";
import type { SessionEvent } from "../../wire/index.ts";
import type { AgentSession } from "../agent-session.ts";

/** The default export of an extension's module. It may return a function that is called when the session closes. */
export type Extension = (
  api: ExtensionApi,
  // biome-ignore lint/suspicious/noConfusingVoidType: most extensions return nothing.
) => (() => unknown) | undefined | void | Promise<(() => unknown) | undefined | void>;

/** What an extension may do. Every function may be used without its object. */
export interface ExtensionApi {
  /** The extension's own name, as messages show it. */
  readonly name: string;
  readonly session: ExtensionSession;
  /**
   * Calls the listener for each event of this type, until the session closes or the returned function is called. What it returns is
   * not awaited. A listener that fails three times is removed.
   */
  on<T extends SessionEvent["type"]>(
    type: T,
    listener: (event: Extract<SessionEvent, { readonly type: T }>) => unknown,
  ): () => void;
  /** Only while the extension loads. */
  addTool(tool: ExtensionTool): void;
  /** Only while the extension loads. */
  addCommand(command: ExtensionCommand): void;
  /** Shows a message to the user, as an event of type `warning`. */
  warn(message: string): void;
}

/** The part of a session that an extension may use. */
export type ExtensionSession = Pick<
  AgentSession,
  | "conversationId"
  | "model"
  | "messages"
  | "isStreaming"
  | "isRetrying"
  | "retryAttempt"
  | "autoRetryEnabled"
  | "prompt"
  | "steer"
  | "abort"
  | "abortRetry"
  | "retryNow"
>;

export interface ExtensionTool {
  /** 1 to 64 letters, digits, `_` and `-`. */
  readonly name: string;
  /** For the model. */
  readonly description: string;
  /** JSON Schema of the arguments, an object. Default: no arguments. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** Returns the text that the model reads. The arguments come from a model: check them. */
  run(args: Readonly<Record<string, unknown>>, context: ToolContext): string | Promise<string>;
}

export interface ExtensionCommand {
  /** Without the slash: 1 to 31 lower case letters, digits and hyphens, a letter first. */
  readonly name: string;
  readonly description: string;
  /** `args`: the text after the name. Returns what to show to the user, if anything. */
  // biome-ignore lint/suspicious/noConfusingVoidType: many commands return nothing.
  run(args: string, context: CommandContext): string | undefined | void | Promise<string | undefined | void>;
}

export interface CommandContext {
  /** Aborts when the user cancels the command or the session closes. A command that ignores it is not waited for. */
  readonly signal: AbortSignal;
}

/** Where an extension comes from. */
export interface ExtensionSource {
  /** For messages: a file, as the user wrote it. */
  readonly name: string;
  /** Loads the module and returns its default export. */
  open(): Promise<unknown>;
  /** Reports faults that reach no caller: thrown by a timer, or a rejected promise that is not handled. Returns a function that ends it. */
  onStrayFault?(listener: (fault: unknown) => void): () => void;
}
