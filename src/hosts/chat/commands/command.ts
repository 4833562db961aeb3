import type { ChatController } from "../controller.ts";

/** One possible value of an argument. */
export interface Choice {
  /** Inserted as it is. */
  readonly text: string;
  /** A few words beside it. */
  readonly hint?: string;
  /** More may follow without a space: a folder. */
  readonly isOpen?: boolean;
}

/** A slash command. The menu, `/help` and completion are made from it. */
export interface Command {
  /** Without the slash: lower case letters, digits and hyphens. */
  readonly name: string;
  /** As the help shows them: `[key] [value]`. Empty: none. */
  readonly parameters: string;
  readonly description: string;
  /** `words`: those after the name. Rejects with a message for the user. */
  run(chat: ChatController, words: readonly string[]): void | Promise<void>;
  /** Values of the next argument, after these words. */
  complete?(chat: ChatController, words: readonly string[]): readonly Choice[] | Promise<readonly Choice[]>;
}
