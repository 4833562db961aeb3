import { NO_RETRIES } from "../../../session/index.ts";
import type { RetryTally, SessionEvent } from "../../../wire/index.ts";
import type { KeyContext } from "../key-intents.ts";
import { addItem, addNotice } from "./add-item.ts";
import { type Edit, type Editor, edit, emptyEditor, remember } from "./editor.ts";
import { hearEvent } from "./hear-event.ts";
import type { Item, Tone } from "./item.ts";
import { type Menu, moveSelection } from "./menu.ts";
import { followProgress, IDLE, type Progress, type Watchdog } from "./progress.ts";
import { shownWaits, type Wait } from "./wait.ts";

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** Health of a provider as this chat has seen it, or of a model that cools down. */
export interface ProviderHealth {
  readonly name: string;
  readonly state: "ok" | "failing" | "cooling";
  /** Remaining cooldown, or 0. */
  readonly forMs: number;
}

/** Everything that the screen shows and keys depend on. Changed by `reduce` alone. */
export interface ChatState {
  readonly conversationId: string;
  readonly model: string;
  /** Models used in this conversation. */
  readonly seen: readonly string[];
  readonly items: readonly Item[];
  /** A prompt is running. */
  readonly isBusy: boolean;
  readonly progress: Progress;
  readonly watchdog: Watchdog;
  /** False: nothing on the screen moves by itself, except numbers. */
  readonly hasMotion: boolean;
  readonly waits: readonly Wait[];
  /** Origins that switched models, and whose `auto_retry_start` is still to come. */
  readonly moved: readonly (string | undefined)[];
  /** Sent while the agent works, and not read by it yet. */
  readonly pending: readonly string[];
  /** The screen already shows this turn's failure. */
  readonly isFailureTold: boolean;
  /** S8: failures are retried automatically. */
  readonly isAutoRetry: boolean;
  /** C7: retry statistics since the chat was opened. */
  readonly retries: RetryTally;
  readonly tokens: { readonly input: number; readonly output: number };
  /** Outcome of the last call, by provider. */
  readonly lastOutcomes: ReadonlyMap<string, "ok" | "failing">;
  /** Remaining cooldown in milliseconds, by model. */
  readonly cooling: Readonly<Record<string, number>>;
  readonly editor: Editor;
  readonly menu: Menu | undefined;
  readonly isExpanded: boolean;
  /** `lent`: the terminal has it, for selecting text, until the next key. */
  readonly mouse: KeyContext["mouse"];
  /** First visible line; null: follows the end. */
  readonly scrollTop: number | null;
  readonly size: Size;
  readonly nowMs: number;
  /** Until then a second Ctrl-C quits. */
  readonly leaveUntilMs: number;
  readonly nextId: number;
}

export type Action =
  | { readonly type: "event"; readonly event: SessionEvent; readonly atMs: number }
  | { readonly type: "tick"; readonly atMs: number; readonly cooling: Readonly<Record<string, number>> }
  | { readonly type: "setup"; readonly watchdog: Watchdog; readonly hasMotion: boolean; readonly hasMouse: boolean }
  | { readonly type: "mouse"; readonly mouse: KeyContext["mouse"] }
  | { readonly type: "edit"; readonly edit: Edit }
  | { readonly type: "menu"; readonly menu: Menu | undefined }
  | { readonly type: "choose"; readonly by: 1 | -1 }
  /** The input was submitted: `text` goes into the history. */
  | { readonly type: "sent"; readonly text: string }
  | { readonly type: "steered"; readonly text: string }
  | { readonly type: "notice"; readonly tone: Tone; readonly text: string }
  | { readonly type: "page"; readonly text: string }
  /** Removes the loaders at once, so that the next key no longer belongs to them. */
  | { readonly type: "waits-ended" }
  | { readonly type: "toggle-expanded" }
  | { readonly type: "scroll-to"; readonly top: number | null }
  | { readonly type: "resize"; readonly size: Size }
  | { readonly type: "leave-asked"; readonly untilMs: number }
  | { readonly type: "opened"; readonly conversation: OpenedConversation };

interface OpenedConversation {
  /** The last message, if it has no answer. */
  readonly unanswered?: string | undefined;
  readonly id: string;
  readonly model: string;
  readonly items: readonly Item[];
  /** Used so far; default: none. */
  readonly tokens?: ChatState["tokens"];
}

export function initialState({ id, model, items, tokens }: OpenedConversation, size: Size): ChatState {
  return {
    conversationId: id,
    model,
    seen: [model],
    items,
    isBusy: false,
    progress: IDLE,
    watchdog: { firstContentMs: null, idleMs: null },
    hasMotion: true,
    waits: [],
    moved: [],
    pending: [],
    isFailureTold: false,
    isAutoRetry: true,
    retries: NO_RETRIES,
    tokens: tokens ?? { input: 0, output: 0 },
    lastOutcomes: new Map(),
    cooling: {},
    editor: emptyEditor(items.flatMap((item) => (item.kind === "user" ? [item.text] : []))),
    menu: undefined,
    isExpanded: false,
    mouse: "off",
    scrollTop: null,
    size,
    nowMs: 0,
    leaveUntilMs: 0,
    nextId: 1,
  };
}

/** The whole behaviour of the screen, as a pure function. */
export function reduce(state: ChatState, action: Action): ChatState {
  switch (action.type) {
    case "event":
      return hearEvent(
        { ...state, nowMs: action.atMs, progress: followProgress(state.progress, action.event, action.atMs) },
        action.event,
        action.atMs,
      );
    case "tick":
      return { ...state, nowMs: action.atMs, cooling: action.cooling };
    case "setup":
      return {
        ...state,
        watchdog: action.watchdog,
        hasMotion: action.hasMotion,
        mouse: action.hasMouse ? "ours" : "off",
      };
    case "mouse":
      return { ...state, mouse: action.mouse };
    case "edit":
      return { ...state, editor: edit(state.editor, action.edit) };
    case "sent":
      return { ...state, editor: remember(state.editor, action.text), menu: undefined, scrollTop: null };
    case "menu":
      return { ...state, menu: action.menu };
    case "choose":
      return state.menu === undefined ? state : { ...state, menu: moveSelection(state.menu, action.by) };
    case "steered":
      return { ...state, pending: [...state.pending, action.text] };
    case "notice":
      return addNotice(state, action.tone, action.text);
    case "page":
      return { ...addItem(state, (id) => ({ kind: "page", id, text: action.text })), scrollTop: null };
    case "waits-ended":
      return { ...state, waits: [], progress: { ...state.progress, quietSinceMs: state.nowMs } };
    case "toggle-expanded":
      return { ...state, isExpanded: !state.isExpanded };
    case "scroll-to":
      return { ...state, scrollTop: action.top };
    case "resize":
      // Line numbers have changed: back to the end.
      return { ...state, size: action.size, scrollTop: null };
    case "leave-asked":
      return { ...state, leaveUntilMs: action.untilMs };
    case "opened":
      return openOther(state, action.conversation);
    default:
      return action satisfies never;
  }
}

/** Puts a message that has no answer, because the process ended or the answer failed, into the input. */
export function offerAgain(state: ChatState, unanswered: string | undefined): ChatState {
  if (unanswered === undefined) return state;
  const text = "Your last message has no answer yet. Press Enter to send it again.";
  return {
    ...addNotice(state, "info", text),
    editor: edit(state.editor, { type: "insert", text: unanswered }),
  };
}

/** Keeps the input, with messages that the agent had not read. Running retries ended with the old conversation. */
function openOther(state: ChatState, conversation: OpenedConversation): ChatState {
  const opened = initialState(conversation, state.size);
  const { editor, retries, nowMs, watchdog, hasMotion, mouse } = state;
  const kept = { ...opened, retries, nowMs, watchdog, hasMotion, mouse };
  const { text, cursor } = editor;
  return text === ""
    ? offerAgain(kept, conversation.unanswered)
    : { ...kept, editor: { ...kept.editor, text, cursor } };
}

export function keyContextOf({ waits, nowMs, isBusy, editor, menu, mouse }: ChatState): KeyContext {
  return {
    mouse,
    menu: menu === undefined ? "closed" : menu.selected === -1 ? "open" : menu.kind,
    isWaiting: shownWaits(waits, nowMs).length > 0,
    isBusy,
    isEmpty: editor.text.trim() === "",
    endsWithBackslash: editor.text.slice(0, editor.cursor).endsWith("\\"),
  };
}

/** Cooling ones first, then failing ones, then the others. */
export function healthOf({ lastOutcomes, cooling }: ChatState): readonly ProviderHealth[] {
  // A map: a provider may be named `constructor`.
  const cooldowns = new Map(Object.entries(cooling));
  const names = [...new Set([...cooldowns.keys(), ...lastOutcomes.keys()])];
  const order = { cooling: 0, failing: 1, ok: 2 } as const;
  return names
    .map((name): ProviderHealth => {
      const forMs = cooldowns.get(name) ?? 0;
      return { name, state: forMs > 0 ? "cooling" : (lastOutcomes.get(name) ?? "ok"), forMs };
    })
    .toSorted((one, other) => order[one.state] - order[other.state]);
}
