import { InvalidInput, show } from "../../kernel/index.ts";
import { checkName } from "../../store/check/check-text.ts";
import type { ConversationStore, ConversationSummary } from "../../store/store.ts";

type Kept = Pick<ConversationStore, "get" | "list">;

/** Which conversation a command line asks for: the same options for every host that keeps them. */
export interface WantedConversation {
  /** The newest one, if there is any. */
  readonly continue?: boolean;
  /** An existing one: its id, short or full, or the start of it. */
  readonly session?: string;
  /** For programs that name theirs themselves: begun under this id if it is not there. */
  readonly conversation?: string;
}

/** Its id; nothing where a new one is wanted. A mistyped id is refused: it would begin an empty conversation under that name. */
export async function chooseConversation(
  conversations: Kept,
  { session, conversation, ...wanted }: WantedConversation,
): Promise<string | undefined> {
  if (session !== undefined) {
    // Every id begins with nothing.
    const search = await findConversation(conversations, checkName("--session", session));
    if ("wanted" in search) throw new InvalidInput("--session", session, search.wanted);
    return search.found.id;
  }
  if (conversation !== undefined) return checkName("--conversation", conversation);
  if (wanted.continue !== true) return undefined;
  const [newest] = await conversations.list({ limit: 1 });
  return newest?.id;
}

/** Ids of ours: a long beginning that all of one process share, and a number. */
const OWN = /^([0-9a-z]{8})[0-9a-z]{13}(-[0-9a-z]+)$/;
const MOST_SEARCHED = 1000;
const MOST_NAMED = 5;

/** An id as people see and type it: no more of the long beginning than is needed, and the number, in which siblings differ. */
export function shortId(id: string): string {
  return id.replace(OWN, "$1$2");
}

/** What was asked for, or why it is nothing, in words that follow "must be". */
type Search = { readonly found: ConversationSummary } | { readonly wanted: string };

/** The conversation with this id, in short or in full, or the only one whose id begins so. */
export async function findConversation(conversations: Kept, given: string): Promise<Search> {
  const exact = await conversations.get(given);
  if (exact !== undefined) return { found: exact };
  const list = await conversations.list({ limit: MOST_SEARCHED });
  const short = list.filter(({ id }) => shortId(id) === given);
  const fitting = short.length > 0 ? short : list.filter(({ id }) => id.startsWith(given));
  const [found] = fitting;
  if (found === undefined) return { wanted: "the id of an existing conversation" };
  if (fitting.length === 1) return { found };
  return { wanted: `the id of one conversation; this begins ${fitting.length}: ${nameAll(fitting)}` };
}

function nameAll(list: readonly ConversationSummary[]): string {
  const shorts = list.map(({ id }) => shortId(id));
  const named = list.slice(0, MOST_NAMED).map(({ id, title }) => {
    const short = shortId(id);
    const isClear = shorts.filter((other) => other === short).length === 1;
    return `${isClear ? short : id} (${show(title)})`;
  });
  return [...named, ...(list.length > MOST_NAMED ? ["…"] : [])].join(", ");
}
