import type { ChatItem } from "./chat-item.ts";
import type { StoredTurn } from "./stored-items.ts";

interface LiveTurn {
  readonly turnId: string;
  readonly items: readonly ChatItem[];
}

/** A turn of the column. */
export interface ShownTurn {
  readonly key: string;
  readonly turnId?: string;
  readonly items: readonly ChatItem[];
}

/** What is stored, with each turn that this page has seen as it saw it: its items stay in place when the turn is stored. */
export function joinTurns(stored: readonly StoredTurn[], live: readonly LiveTurn[]): readonly ShownTurn[] {
  const byId = new Map(live.map((turn) => [turn.turnId, turn]));
  const shown = new Set<string>();
  const turns: ShownTurn[] = [];
  for (const [at, turn] of stored.entries()) {
    const seen = turn.turnId === undefined ? undefined : byId.get(turn.turnId);
    if (turn.turnId === undefined || seen === undefined) {
      turns.push({ ...turn, key: `${turn.turnId ?? "stored"}:${at}` });
    } else if (!shown.has(turn.turnId)) {
      shown.add(turn.turnId);
      turns.push({ key: turn.turnId, turnId: turn.turnId, items: withNumbers(seen.items, stored, turn.turnId) });
    }
  }
  for (const { turnId, items } of live) if (!shown.has(turnId)) turns.push({ key: turnId, turnId, items });
  return turns;
}

/** The user's messages with the numbers of the store: the first with the first, and so on. */
function withNumbers(items: readonly ChatItem[], stored: readonly StoredTurn[], turnId: string): readonly ChatItem[] {
  const numbers = stored
    .filter((turn) => turn.turnId === turnId)
    .flatMap((turn) => turn.items)
    .flatMap((item) => (item.type === "user" && item.seq !== undefined ? [item.seq] : []));
  if (numbers.length === 0) return items;
  let next = 0;
  return items.map((item) => {
    const seq = item.type === "user" ? numbers[next++] : undefined;
    return seq === undefined ? item : ({ ...item, seq } as ChatItem);
  });
}
