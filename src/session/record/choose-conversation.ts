import { InvalidInput } from "../../kernel/index.ts";
import { checkName } from "../../store/check/check-text.ts";
import type { ConversationStore } from "../../store/index.ts";
import { findConversation } from "./find-conversation.ts";

/** Which conversation a command line asks for: the same options for every host that keeps them. */
export interface WantedConversation {
  /** The newest one, if there is any. */
  readonly continue?: boolean;
  /** An existing one: its id, short or full, or the start of it. */
  readonly session?: string;
  /** For programs that name theirs themselves: begun under this id if it is not there. */
  readonly conversation?: string;
}

type Kept = Pick<ConversationStore, "get" | "list">;

/** Its id; nothing where a new one is wanted. A mistyped id is refused: it would begin an empty conversation under that name. */
export async function chooseConversation(
  conversations: Kept,
  { session, conversation, ...wanted }: WantedConversation,
): Promise<string | undefined> {
  // Every id begins with nothing.
  if (session !== undefined) return findSession(conversations, checkName("--session", session));
  if (conversation !== undefined) return checkName("--conversation", conversation);
  if (wanted.continue !== true) return undefined;
  const [newest] = await conversations.list({ limit: 1 });
  return newest?.id;
}

async function findSession(conversations: Kept, session: string): Promise<string> {
  const search = await findConversation(conversations, session);
  if ("wanted" in search) throw new InvalidInput("--session", session, search.wanted);
  return search.found.id;
}
