import { leftBehind } from "../../../session/prompt/left-behind.ts";
import { addEntry, type Context, closeCalls, type PlacedEntry, readEntries } from "../../../session/record/context.ts";
import { titleOf } from "../../../session/record/title-of.ts";
import type { Message, SessionEntry } from "../../../wire/index.ts";
import { ApiProblem, notFound } from "../api/route.ts";
import type { ChatParts } from "./chat-parts.ts";
import { type ChosenTurn, chooseTurn, type TurnChoice } from "./choose-turn.ts";
import { EntryWriter } from "./entry-writer.ts";
import type { RunningTurn } from "./running-turn.ts";
import { isRunElsewhere, openOwner, THIS_PROCESS } from "./turn-owner.ts";

/** What is asked of a turn. */
export type TurnWish = TurnChoice &
  (
    | { readonly type: "send"; readonly message: string }
    | { readonly type: "continue" }
    | { readonly type: "resend"; readonly seq: number; readonly message: string }
  );

/** A turn whose first entries are stored. */
export interface AcceptedTurn {
  readonly chosen: ChosenTurn;
  readonly history: readonly Message[];
  /** Absent: the turn answers what the history ends with. */
  readonly message?: string;
  readonly writer: EntryWriter;
}

/** Checks what is asked and stores it. Rejects without a trace in the store if it can't be done. */
export async function acceptTurn(parts: ChatParts, turn: RunningTurn, wish: TurnWish): Promise<AcceptedTurn> {
  const { conversations, redact, ports } = parts;
  const { conversationId } = turn;
  const isKnown = (await conversations.get(conversationId)) !== undefined;
  if (!isKnown && wish.type !== "send") throw notFound("conversation");
  const stored = isKnown ? readEntries(await conversations.read(conversationId)) : [];
  checkFree(stored);
  const entries = wish.type === "resend" ? rewound(stored, wish.seq) : stored;
  const waiting = leftBehind(entries).map(({ content, promptId }) => userEntry(content, promptId));
  const context = [...entries, ...waiting].reduce<Context>(addEntry, []);
  if (wish.type === "continue") checkOpen(context);
  const chosen = await chooseTurn(parts, stored, wish);
  const message = wish.type === "continue" ? undefined : redact(wish.message);
  const writer = new EntryWriter({ conversationId, conversations, redact, ports });
  const first: readonly SessionEntry[] = [
    ...(wish.type === "resend" ? [{ type: "rewind", data: { before: wish.seq } } as const] : []),
    ...changeOf(chosen),
    { type: "turn", data: { turnId: turn.turnId, model: chosen.model, policy: chosen.policyName, by: THIS_PROCESS } },
    ...waiting,
    ...(message === undefined ? [] : [userEntry(message)]),
  ];
  if (!isKnown) await conversations.create({ id: conversationId, title: titleOf(message ?? "") });
  try {
    await writer.write(first);
  } catch (fault) {
    if (!isKnown) await conversations.remove(conversationId).catch(() => undefined);
    throw fault;
  }
  return { chosen, history: closeCalls(context), ...(message !== undefined && { message }), writer };
}

function checkFree(entries: readonly SessionEntry[]): void {
  const owner = openOwner(entries);
  if (isRunElsewhere(owner))
    throw new ApiProblem(
      409,
      `Another server (process ${owner.pid}) is running a turn in this conversation. Wait for its end, or abort it there`,
    );
}

/** What stands if the message `seq` is written anew. */
function rewound(entries: readonly PlacedEntry[], seq: number): readonly PlacedEntry[] {
  const replaced = entries.find((entry) => entry.seq === seq);
  if (replaced?.type !== "message" || replaced.data.role !== "user")
    throw new ApiProblem(400, `seq must be that of a user message in this conversation, not ${seq}`, "seq");
  return entries.filter((entry) => entry.seq < seq);
}

/** The last message must be one that waits for an answer. A failed answer has left the context. */
function checkOpen(context: Context): void {
  const last = closeCalls(context).at(-1);
  if (last === undefined || last.role === "assistant")
    throw new ApiProblem(409, "There is nothing to continue: the last message has its answer");
}

function userEntry(content: string, promptId?: string): Extract<SessionEntry, { type: "message" }> {
  return { type: "message", data: { role: "user", content, ...(promptId !== undefined && { promptId }) } };
}

function changeOf({ active, isNewModel, model }: ChosenTurn): readonly SessionEntry[] {
  if (!isNewModel || active === undefined || active === model) return [];
  return [{ type: "model_change", data: { from: active, to: model, role: "default", reason: "chosen" } }];
}
