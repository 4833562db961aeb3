import { setImmediate } from "node:timers/promises";
import { readEntries } from "../../../session/record/context.ts";
import { lastLeader } from "../../../session/record/last-leader.ts";
import { StoreError } from "../../../store/index.ts";
import { fairTurn } from "../../../system/fair-turn.ts";
import { sleep } from "../../../system/index.ts";
import {
  type ChatRequest,
  type ContinueRequest,
  type ConversationState,
  type ConversationSummary,
  type ConversationView,
  conversationIdSchema,
  type ResendRequest,
} from "../../../wire/http/chat.ts";
import type { AgentEvent } from "../../../wire/index.ts";
import { ApiProblem, notFound } from "../api/route.ts";
import { acceptTurn, type TurnWish } from "./accept-turn.ts";
import type { ChatParts } from "./chat-parts.ts";
import { lastPolicy, linesOf, restingState, STATE_ENTRIES, stateElsewhere } from "./conversation-view.ts";
import { Feeds, type Subscriber } from "./feeds.ts";
import { runChatTurn } from "./run-chat-turn.ts";
import { RunningTurn } from "./running-turn.ts";

export interface StartedTurn {
  readonly conversationId: string;
  readonly turnId: string;
}

export interface Caller {
  /** Name of the access key, where the server has any. */
  readonly client?: string;
}

const MOST_TURNS = 1000;
const MOST_LISTED = 1000;
const MOST_KNOWN_STATES = 10_000;
/** So many are read before the event loop gets its turn. */
const BREATH = 50;

/** The conversations of the server and the turns that run in them. A turn goes on whoever is listening. */
export class ChatService {
  readonly #parts: ChatParts;
  readonly #feeds: Feeds;
  /** By conversation. */
  readonly #turns = new Map<string, RunningTurn>();
  /** How a conversation stood when it had so many entries: a list need not read them again. */
  readonly #states = new Map<string, { readonly entries: number; readonly state: ConversationState }>();
  #isDraining = false;

  constructor(parts: ChatParts) {
    this.#parts = parts;
    this.#feeds = new Feeds(parts.ports);
  }

  /** How many turns are under way. */
  get running(): number {
    return this.#turns.size;
  }

  /** K6. Resolves when the message is stored; the turn then runs by itself. */
  send({ conversationId, message, ...choice }: ChatRequest, caller: Caller = {}): Promise<StartedTurn> {
    return this.#start(conversationId, { type: "send", message, ...choice }, caller);
  }

  /** Answers the last message again, after an interruption or a failure. */
  continue(conversationId: string, choice: ContinueRequest, caller: Caller = {}): Promise<StartedTurn> {
    return this.#start(conversationId, { type: "continue", ...choice }, caller);
  }

  /** Replaces a message of the user: what followed it leaves the conversation. */
  resend(conversationId: string, request: ResendRequest, caller: Caller = {}): Promise<StartedTurn> {
    return this.#start(conversationId, { type: "resend", ...request }, caller);
  }

  /** False: no turn was running. */
  abort(conversationId: string): boolean {
    const turn = this.#turns.get(conversationId);
    turn?.abort();
    return turn !== undefined;
  }

  /** Adds a message to the turn under way: the model gets it with its next step. Resolves when it is stored. */
  async steer(conversationId: string, content: string): Promise<void> {
    const { ports, redact } = this.#parts;
    const isTaken = await this.#turns.get(conversationId)?.steer({ promptId: ports.newId(), content: redact(content) });
    if (isTaken !== true)
      throw new ApiProblem(409, "No turn is running in this conversation. Send the message instead");
  }

  /** Replays the turn under way from its first event, then follows this turn and later ones. */
  subscribe(conversationId: string, subscriber: Subscriber): () => void {
    for (const event of this.#turns.get(conversationId)?.log.events ?? []) this.#feeds.tell(subscriber, event);
    return this.#feeds.subscribe(conversationId, subscriber);
  }

  /** Whether the conversation is stored or about to be. */
  async has(conversationId: string): Promise<boolean> {
    return this.#turns.has(conversationId) || (await this.#parts.conversations.get(conversationId)) !== undefined;
  }

  /** Newest first. `search`: those whose title contains it, in any case. */
  async list({
    limit = MOST_LISTED,
    search = "",
  }: {
    limit?: number;
    search?: string;
  } = {}): Promise<readonly ConversationSummary[]> {
    const wanted = search.toLowerCase();
    const all = await this.#parts.conversations.list();
    // The terminal takes any text as an id; one that no path can name can't be opened here.
    const found = all.filter(({ id, title }) => isAddressable(id) && title.toLowerCase().includes(wanted));
    const summaries: ConversationSummary[] = [];
    for (const [place, one] of found.slice(0, limit).entries()) {
      if (place % BREATH === BREATH - 1) await setImmediate();
      summaries.push(await this.#summaryOf(one));
    }
    return summaries;
  }

  async open(conversationId: string): Promise<ConversationView> {
    const { conversations, settings } = this.#parts;
    const stored = await conversations.get(conversationId);
    if (stored === undefined) throw notFound("conversation");
    const entries = readEntries(await conversations.read(conversationId));
    const model = lastLeader(entries, await settings());
    const policy = lastPolicy(entries);
    const turn = this.#turns.get(conversationId);
    return {
      ...summary(stored, turn, stateElsewhere(entries)),
      lines: linesOf(entries),
      ...(model !== undefined && { model }),
      ...(policy !== undefined && { policy }),
      ...(turn !== undefined && { turnId: turn.turnId }),
    };
  }

  async rename(conversationId: string, title: string): Promise<void> {
    await known(this.#parts.conversations.rename(conversationId, title));
  }

  /** A turn that runs in it is aborted. */
  async remove(conversationId: string): Promise<void> {
    const turn = this.#turns.get(conversationId);
    turn?.abort();
    await turn?.ended;
    await known(this.#parts.conversations.remove(conversationId));
    this.#states.delete(conversationId);
  }

  /**
   * The server stops: no turn is accepted any more. Running ones get `ms` to finish; those that don't, or wait for longer than that,
   * are stored as interrupted and can be continued.
   */
  async drain(ms: number): Promise<void> {
    this.#isDraining = true;
    const { ports } = this.#parts;
    const deadline = ports.wallNow() + ms;
    for (const turn of this.#turns.values()) if ((turn.retryAt ?? 0) > deadline) turn.interrupt();
    const ends = Promise.all([...this.#turns.values()].map(({ ended }) => ended));
    const controller = new AbortController();
    await Promise.race([ends, sleep(ms, controller.signal).catch(() => undefined)]);
    controller.abort();
    for (const turn of this.#turns.values()) turn.interrupt();
    await ends;
  }

  async #start(conversationId: string | undefined, wish: TurnWish, { client }: Caller): Promise<StartedTurn> {
    const { ports } = this.#parts;
    const turn = this.#reserve(new RunningTurn(conversationId ?? ports.newId(), ports.newId(), client));
    try {
      await fairTurn.take("start");
      const accepted = await acceptTurn(this.#parts, turn, wish);
      // Messages that were stored together would start their turns in one go.
      await fairTurn.take("start");
      turn.accept(accepted.writer);
      void runChatTurn(this.#parts, turn, accepted, (event) => this.#publish(turn, event))
        .catch((fault): AgentEvent => {
          ports.reportFault(fault, "chat turn");
          const { conversationId: id, turnId } = turn;
          return { type: "turn-sealed", conversationId: id, turnId, status: "error" };
        })
        .then((seal) => {
          this.#release(turn);
          this.#feeds.publish(seal);
        });
      return { conversationId: turn.conversationId, turnId: turn.turnId };
    } catch (fault) {
      this.#release(turn);
      throw fault;
    }
  }

  /** At once, before anything is awaited: of two requests for one conversation the second is refused. */
  #reserve(turn: RunningTurn): RunningTurn {
    const { maxTurns = MOST_TURNS } = this.#parts;
    if (this.#isDraining) throw new ApiProblem(503, "The server is stopping. Try again in a moment");
    if (this.#turns.has(turn.conversationId))
      throw new ApiProblem(409, "A turn is running in this conversation. Steer it, abort it or wait for its end");
    if (this.#turns.size >= maxTurns)
      throw new ApiProblem(429, `${maxTurns} turns are running, the most that this server allows. Try again later`);
    this.#turns.set(turn.conversationId, turn);
    return turn;
  }

  #release(turn: RunningTurn): void {
    this.#turns.delete(turn.conversationId);
    turn.end();
  }

  #publish(turn: RunningTurn, event: AgentEvent): void {
    turn.log.add(event);
    this.#feeds.publish(event);
  }

  async #summaryOf(stored: StoredSummary): Promise<ConversationSummary> {
    const turn = this.#turns.get(stored.id);
    return summary(stored, turn, turn === undefined ? await this.#stateOf(stored) : "running");
  }

  async #stateOf({ id, entries }: StoredSummary): Promise<ConversationState> {
    const kept = this.#states.get(id);
    if (kept?.entries === entries) return kept.state;
    // It may have been removed meanwhile.
    const { conversations } = this.#parts;
    const last = await conversations.read(id, { last: STATE_ENTRIES }).catch(() => []);
    const state = restingState(readEntries(last));
    // Unless another server is running it. How that stands changes without a new entry, so it is not remembered.
    if (state === "interrupted") return stateElsewhere(readEntries(await conversations.read(id).catch(() => [])));
    if (this.#states.size >= MOST_KNOWN_STATES) this.#states.clear();
    this.#states.set(id, { entries, state });
    return state;
  }
}

function isAddressable(id: string): boolean {
  return conversationIdSchema.safeParse(id).success;
}

type StoredSummary = Omit<ConversationSummary, "state" | "retryAt"> & { readonly entries: number };

function summary(
  stored: StoredSummary,
  turn: RunningTurn | undefined,
  resting: ConversationState,
): ConversationSummary {
  const { id, title, createdAt, updatedAt } = stored;
  const retryAt = turn?.retryAt;
  const state = turn === undefined ? resting : retryAt === undefined ? "running" : "waiting";
  return { id, title, createdAt, updatedAt, state, ...(retryAt !== undefined && { retryAt }) };
}

/** The store's own error names the file's business; a client needs a 404. */
async function known(work: Promise<void>): Promise<void> {
  await work.catch((fault) => {
    throw fault instanceof StoreError && fault.code === "unknown-conversation" ? notFound("conversation") : fault;
  });
}
