import type { AgentSession } from "../../session/index.ts";
import type { ChatParts, OpenChat } from "./chat-parts.ts";
import { BUILT_IN, runCommand } from "./commands/built-in.ts";
import { CommandTable } from "./commands/command-table.ts";
import { listExtensionCommands, runExtensionCommand } from "./commands/extension-command.ts";
import { Completer } from "./completion/completer.ts";
import { type Intent, intentOf } from "./key-intents.ts";
import type { KeyPress } from "./keyboard/key-press.ts";
import { layoutScreen } from "./layout/layout-screen.ts";
import {
  type Action,
  type ChatState,
  initialState,
  keyContextOf,
  offerAgain,
  reduce,
  type Size,
} from "./state/chat-state.ts";

const TICK_MS = 200;
const LEAVE_WITHIN_MS = 2000;

/** What the controller asks of the screen. */
interface View {
  readonly redraw: () => void;
  /** Returns the terminal to the shell until it continues us. */
  readonly suspend: () => void;
  /** False: the terminal has the mouse. */
  readonly setMouse: (isOurs: boolean) => void;
}

const NO_VIEW: View = { redraw: () => undefined, suspend: () => undefined, setMouse: () => undefined };

/** Connects screen and session: turns keys into intents, intents into calls, and events into state. */
export class ChatController {
  #state: ChatState;
  #session: AgentSession;
  #unsubscribe: () => void;
  #stopTicking: (() => void) | undefined;
  /** Commands run one after another. */
  #commands: Promise<unknown> = Promise.resolve();
  readonly parts: ChatParts;
  readonly commands = new CommandTable(BUILT_IN);
  readonly #completer = new Completer(this);
  readonly #listeners = new Set<() => void>();
  /** Resolves when the user quits. */
  readonly left: Promise<void>;
  #leave: () => void = () => undefined;
  /** Set by the screen. */
  view: View = NO_VIEW;

  constructor(parts: ChatParts, opened: OpenChat, size: Size) {
    this.parts = parts;
    this.#session = opened.session;
    const { watchdog, hasMotion, hasMouse } = parts;
    const state = offerAgain(initialState(describe(opened), size), opened.unanswered);
    this.#state = reduce(state, { type: "setup", watchdog, hasMotion, hasMouse });
    this.#unsubscribe = this.#listenTo(opened.session);
    this.left = new Promise((resolve) => {
      this.#leave = resolve;
    });
    this.#tick();
  }

  get state(): ChatState {
    return this.#state;
  }

  get session(): AgentSession {
    return this.#session;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  dispatch(action: Action): void {
    const { retryTally: retries, autoRetryEnabled: isAutoRetry } = this.#session;
    this.#state = { ...reduce(this.#state, action), retries, isAutoRetry };
    this.#pace();
    for (const listen of this.#listeners) listen();
  }

  press(press: KeyPress): void {
    const intent = intentOf(press, keyContextOf(this.#state));
    // Text was selected, and typing goes on: the wheel is ours again.
    if (this.#state.mouse === "lent" && press.type !== "mouse") this.setMouse("ours");
    if (intent !== undefined) this.#enact(intent);
  }

  /** Runs a slash command, or sends a message to the agent. */
  submit(text: string): void {
    this.#completer.close();
    this.dispatch({ type: "sent", text });
    if (runExtensionCommand(this, text)) return;
    if (text.startsWith("/")) {
      this.#commands = this.#commands.then(() => runCommand(this, text)).catch((fault) => this.fail(fault));
    } else this.say(text);
  }

  /** Steers the running prompt, or starts a new one. */
  say(text: string): void {
    if (this.#session.steer(text)) this.dispatch({ type: "steered", text });
    else this.#session.prompt(text).catch((fault) => this.fail(fault));
  }

  fail(fault: unknown): void {
    this.dispatch({ type: "notice", tone: "error", text: fault instanceof Error ? fault.message : String(fault) });
  }

  /** Opens another conversation. Ends and saves what is running in this one. */
  async go(conversationId: string | undefined): Promise<void> {
    const { model } = this.#session;
    const opened = await this.parts.open(conversationId === undefined ? { model } : { conversationId });
    // Before unsubscribing: the last events count the retries and put unread messages back into the input.
    await this.#session.close();
    this.#unsubscribe();
    this.#session = opened.session;
    this.#unsubscribe = this.#listenTo(opened.session);
    this.dispatch({ type: "opened", conversation: describe(opened) });
  }

  leave(): void {
    this.#leave();
  }

  setMouse(mouse: ChatState["mouse"]): void {
    this.view.setMouse(mouse === "ours");
    this.dispatch({ type: "mouse", mouse });
  }

  /** B8. Returns whether a retry was waiting. */
  retryNow(): boolean {
    const wasWaiting = this.#session.retryNow();
    this.dispatch({ type: "waits-ended" });
    return wasWaiting;
  }

  /** Resolves when everything acknowledged is in the store. */
  async close(): Promise<void> {
    this.#stopTicking?.();
    this.#stopTicking = undefined;
    await this.#session.close();
    this.#unsubscribe();
  }

  #listenTo(session: AgentSession): () => void {
    const forget = listExtensionCommands(this, session);
    const leave = session.subscribe((event) => this.dispatch({ type: "event", event, atMs: this.parts.clock.now() }));
    return () => {
      leave();
      forget();
    };
  }

  #enact(intent: Intent): void {
    switch (intent.type) {
      case "edit":
        this.dispatch({ type: "edit", edit: intent.edit });
        return this.#completer.follow(intent.edit);
      case "choose":
        return this.dispatch({ type: "choose", by: intent.by });
      case "complete":
        return this.#completer.complete();
      case "accept":
        return this.#completer.accept(this.#state.menu?.selected ?? 0);
      case "accept-and-submit":
        this.#completer.accept(this.#state.menu?.selected ?? 0);
        return this.submit(this.#state.editor.text.trim());
      case "close-menu":
        return this.#completer.close();
      case "submit":
        return this.submit(this.#state.editor.text.trim());
      case "retry-now":
        this.retryNow();
        return;
      case "cancel-retry":
        this.#session.abortRetry();
        return this.dispatch({ type: "waits-ended" });
      case "abort":
        void this.#session.abort();
        return;
      case "interrupt":
        return this.#interrupt();
      case "leave":
        return this.leave();
      case "redraw":
        return this.view.redraw();
      case "suspend":
        return this.view.suspend();
      case "lend-mouse":
        return this.setMouse("lent");
      case "toggle-expanded":
        return this.dispatch({ type: "toggle-expanded" });
      case "scroll":
        return this.#scroll(intent);
      default:
        intent satisfies never;
    }
  }

  #interrupt(): void {
    const now = this.parts.clock.now();
    this.#tick();
    if (now < this.#state.leaveUntilMs) return this.leave();
    this.dispatch({ type: "leave-asked", untilMs: now + LEAVE_WITHIN_MS });
  }

  #scroll({ by, unit }: Extract<Intent, { type: "scroll" }>): void {
    const { total, height, top } = layoutScreen(this.#state).scroll;
    const wanted = Math.max(0, top + (unit === "lines" ? by : by * Math.max(1, height - 1)));
    this.dispatch({ type: "scroll-to", top: wanted >= total - height ? null : wanted });
  }

  #tick(): void {
    const { clock, coolingFor } = this.parts;
    this.dispatch({ type: "tick", atMs: clock.now(), cooling: coolingFor(this.#state.seen) });
  }

  /** Ticks only while something on the screen depends on the time. */
  #pace(): void {
    const { isBusy, leaveUntilMs, nowMs, cooling } = this.#state;
    const isNeeded = isBusy || leaveUntilMs > nowMs || Object.keys(cooling).length > 0;
    if (isNeeded) this.#stopTicking ??= this.parts.clock.every(TICK_MS, () => this.#tick());
    else {
      this.#stopTicking?.();
      this.#stopTicking = undefined;
    }
  }
}

function describe({ session, items, unanswered }: OpenChat) {
  return { id: session.conversationId, model: session.model, items, tokens: session.tokens, unanswered };
}
