import type { Credential } from "../../credentials/index.ts";
import type { AgentSession, SessionOptions } from "../../session/index.ts";
import type { ConfigStore, ConversationStore, Experience } from "../../store/index.ts";
import type { Item } from "./state/item.ts";
import type { Watchdog } from "./state/progress.ts";

/** An open conversation, with its earlier messages. */
export interface OpenChat {
  readonly session: AgentSession;
  readonly items: readonly Item[];
  /** The last message, if it has no answer. */
  readonly unanswered?: string | undefined;
}

/** What a chat is built from. `build-chat.ts` has the real parts. */
export interface ChatParts {
  /** Does not close the conversation that was open before. */
  open(options: SessionOptions): Promise<OpenChat>;
  readonly conversations: Pick<ConversationStore, "get" | "list" | "read">;
  readonly config: ConfigStore;
  /** C10: what adaptive waits have learned, and whether they are used for the provider. */
  listLearned(): Promise<readonly (Experience & { readonly isUsed: boolean })[]>;
  /** Masked. */
  listKeys(): Promise<readonly Credential[]>;
  /** `provider/model` of every model that has a key. */
  readonly models: readonly string[];
  /** Remaining cooldown in milliseconds, for those of the models that cool down. */
  coolingFor(models: readonly string[]): Readonly<Record<string, number>>;
  /** Never overwrites a file. Returns its full path; rejects with a readable message and the system's `code`. */
  writeNew(path: string, text: string): Promise<string>;
  /** A folder below the one that the agent reads. Rejects if there is none. */
  listFolder(folder: string): Promise<readonly FolderEntry[]>;
  readonly clock: Clock;
  /** Limits of the sessions' watchdog. */
  readonly watchdog: Watchdog;
  readonly hasMotion: boolean;
  /** The wheel scrolls; the terminal selects text only with Shift. */
  readonly hasMouse: boolean;
}

export interface FolderEntry {
  readonly name: string;
  readonly isFolder: boolean;
}

/** Injected, so that tests of a countdown need not wait for it. */
export interface Clock {
  /** Monotonic milliseconds. */
  now(): number;
  /** Calls `run` repeatedly until the returned function is called. */
  every(ms: number, run: () => void): () => void;
}
