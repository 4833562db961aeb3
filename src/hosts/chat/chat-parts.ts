import type { Credential } from "../../credentials/index.ts";
import type { AgentSession, SessionOptions } from "../../session/index.ts";
import type { ConfigStore, ConversationStore } from "../../store/index.ts";
import type { Item } from "./state/item.ts";

/** A conversation that is open, with what was said in it before. */
export interface OpenChat {
  readonly session: AgentSession;
  readonly items: readonly Item[];
}

/** What a chat is built from. `build-chat.ts` has the real ones. */
export interface ChatParts {
  /** Aborts nothing: the conversation that was open before is closed by whoever opened it. */
  open(options: SessionOptions): Promise<OpenChat>;
  readonly conversations: Pick<ConversationStore, "get" | "list">;
  readonly config: ConfigStore;
  /** Masked. */
  listKeys(): Promise<readonly Credential[]>;
  /** `provider/model` of those that can be asked now. */
  readonly models: readonly string[];
  /** Those of the models that cool down, with the milliseconds that are left. */
  coolingFor(models: readonly string[]): Readonly<Record<string, number>>;
  /** Never writes over a file. Answers its full path, or rejects with a sentence and the system's `code`. */
  writeNew(path: string, text: string): Promise<string>;
  readonly clock: Clock;
}

/** Time from outside, so that a countdown can be tested without waiting for it. */
export interface Clock {
  /** Monotonic milliseconds. */
  now(): number;
  /** Again and again until the answer is called. */
  every(ms: number, run: () => void): () => void;
}
