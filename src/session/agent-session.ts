import { InvalidInput } from "../kernel/index.ts";
import { type Message, type RetryTally, readRetrySettings } from "../wire/index.ts";
import { checkSelector } from "../wire/selector.ts";
import { type CommandInfo, SessionExtensions } from "./extensions/session-extensions.ts";
import { facadeOf } from "./extensions/session-facade.ts";
import { openCore } from "./open-core.ts";
import type { SessionOptions, SessionParts } from "./parts.ts";
import { beginPrompt, type Holding, holdPrompt, type OnKept } from "./prompt/accept-prompt.ts";
import { stillHeld, takeLeftBehind } from "./prompt/left-behind.ts";
import { type PromptResult, runPrompt } from "./prompt/run-prompt.ts";
import type { SessionListener } from "./record/announcer.ts";
import type { Tokens } from "./record/tokens-of.ts";
import type { SessionCore } from "./session-core.ts";

/** A prompt that is being answered, or stands in line. */
interface Current {
  readonly controller: AbortController;
  readonly steering: Holding[];
  /** Settles with it, never rejects. */
  ended: Promise<unknown>;
}

/** What a prompt does when it is first in line. */
interface Turn {
  readonly take: () => Promise<PromptResult>;
  /** Rejects as soon as it is refused. */
  readonly kept?: Promise<void> | undefined;
}

/** A conversation with an agent that is carried through failures. Several may live side by side; they share only health. */
export class AgentSession {
  readonly #core: SessionCore;
  /** The first one is being answered, or is about to be: an abort right after a prompt means that one. */
  readonly #line: Current[] = [];
  #tail: Promise<unknown> = Promise.resolve();
  readonly #extensions: SessionExtensions;
  #isClosed = false;
  #closed: Promise<void> | undefined;

  private constructor(core: SessionCore) {
    this.#core = core;
    this.#extensions = new SessionExtensions(core);
  }

  /** Starts a conversation, or takes one up where it was left. Loads the extensions. */
  static async open(parts: SessionParts, options: SessionOptions = {}): Promise<AgentSession> {
    const session = new AgentSession(await openCore(parts, options));
    await session.#extensions.load(facadeOf(session));
    return session;
  }

  get conversationId(): string {
    return this.#core.conversationId;
  }

  /** The model that answers now: the chosen one, or a fallback while that cools down. */
  get model(): string {
    return this.#core.active;
  }

  /** What the model is told. Failing answers are in the store only. */
  get messages(): readonly Message[] {
    return this.#core.recorder.context;
  }

  /** What the answers of this conversation have used, those of earlier sessions too. */
  get tokens(): Tokens {
    return this.#core.recorder.tokens;
  }

  /** A prompt is under way, or stands in line. */
  get isStreaming(): boolean {
    return this.#line.length > 0;
  }

  get isRetrying(): boolean {
    return this.#core.live.isRetrying;
  }

  /** The retry that is waited for or being made; 0: none. */
  get retryAttempt(): number {
    return this.#core.live.retryAttempt;
  }

  /** C7: the retry statistics so far. */
  get retryTally(): RetryTally {
    return this.#core.retries.tally;
  }

  get autoRetryEnabled(): boolean {
    return this.#core.settings.enabled;
  }

  get autoCompactionEnabled(): boolean {
    return this.#core.options.autoCompaction !== false;
  }

  /** Subscribes to every event from now on. Returns a function that ends the subscription. */
  subscribe(listener: SessionListener): () => void {
    const leave = this.#core.announcer.subscribe(listener);
    this.#extensions.heard();
    return leave;
  }

  /** The slash commands of the extensions. */
  get commands(): readonly CommandInfo[] {
    return this.#extensions.commands;
  }

  /** Runs a slash command of an extension. Returns what to show; rejects with a message for the user. */
  runCommand(name: string, args = "", signal?: AbortSignal): Promise<string> {
    return this.#extensions.runCommand(name, args, signal);
  }

  /**
   * Sends a prompt to the agent. Resolves only when the retry chain that it started has ended; never rejects for a failure of
   * the provider's. Prompts are answered one after another; one that has to wait is saved at once, and if the process ends before
   * its turn, the first prompt of the next session brings it along. With `onKept`, a prompt that could not be saved is not sent, and
   * rejects with the store's error.
   */
  async prompt(text: string, onKept?: OnKept): Promise<PromptResult> {
    if (typeof text !== "string" || text === "") throw new InvalidInput("text", text, "a text that is not empty");
    if (this.#isClosed) throw new Error("The session is closed");
    const current: Current = { controller: new AbortController(), steering: [], ended: Promise.resolve() };
    // With none before it, it begins now: what is saved of the next one comes after it.
    const isFirst = this.#line.length === 0;
    this.#line.push(current);
    const { take, kept } = isFirst ? this.#begin(text, current, onKept) : this.#hold(text, current, onKept);
    const answered = this.#tail.then(take);
    current.ended = answered.catch(() => this.#leave(current));
    this.#tail = current.ended;
    await kept;
    return answered;
  }

  /**
   * Sends a message to the agent at work, which reads it after the current step. False: no prompt is under way. With `onKept`, a
   * message that could not be saved is not sent, and `onRefused` gets the store's error.
   */
  steer(text: string, onKept?: OnKept, onRefused?: (fault: unknown) => void): boolean {
    const [current] = this.#line;
    if (current === undefined || this.#isClosed) return false;
    const holding = holdPrompt(this.#core, text, onKept);
    holding.kept?.catch((fault) => onRefused?.(fault));
    current.steering.push(holding);
    return true;
  }

  /** S8: writes the setting, which is read at every failure. Switched off during a wait, that retry still runs. */
  async setAutoRetryEnabled(enabled: boolean): Promise<void> {
    this.#core.settings = { ...this.#core.settings, enabled };
    await this.#core.parts.settings.write({ enabled });
  }

  /** Reads the settings again, after a change in the store. The next model call uses them; `enabled` counts at the next failure. */
  async reloadSettings(): Promise<void> {
    this.#core.settings = readRetrySettings(await this.#core.parts.settings.read());
  }

  /** Counts from the next step on. */
  async setModel(model: string): Promise<void> {
    const core = this.#core;
    checkSelector("model", model, core.parts.providers);
    const data = { from: core.active, to: model, role: "default", reason: "chosen" } as const;
    core.chosen = model;
    core.active = model;
    core.live.overrule();
    core.recorder.record({ type: "model_change", data }, { type: "model_change", ...data });
    await core.recorder.flushed();
  }

  /** Ends the wait, and the retries with it. False: nothing was being retried. */
  abortRetry(): boolean {
    return this.#core.live.cancelRetries();
  }

  /** Ends the wait by trying again now. False: nothing was waiting. */
  retryNow(): boolean {
    return this.#core.live.retryNow();
  }

  /** Ends the prompt that is under way: its retry first, then its stream and its tools. Resolves when it has ended. */
  async abort(): Promise<void> {
    const [current] = this.#line;
    if (current === undefined) return this.#core.recorder.flushed();
    this.abortRetry();
    current.controller.abort(new DOMException("The prompt was aborted", "AbortError"));
    await current.ended;
  }

  /** Resolves when every prompt given so far is answered, and everything said about it was written and told. */
  async whenIdle(): Promise<void> {
    await this.#tail;
    await this.#core.recorder.flushed();
  }

  /** Aborts what is under way, drops what stands in line, writes what is left to write, and unloads the extensions. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#closed ??= this.#close();
    await this.#closed;
  }

  async #close(): Promise<void> {
    await this.abort();
    await this.whenIdle();
    await this.#extensions.unload();
    await this.whenIdle();
  }

  /** The turn of a prompt with none before it. Only where something was left behind does it have to read the store first. */
  #begin(text: string, current: Current, onKept?: OnKept): Turn {
    const core = this.#core;
    if (core.leftBehind.length === 0) {
      const kept = beginPrompt(core, [{ content: text }], onKept);
      return { take: () => this.#answer(current, kept), kept };
    }
    const take = async (): Promise<PromptResult> => {
      const { leftBehind } = core;
      const kept = beginPrompt(core, [...(await takeLeftBehind(core)), { content: text }], onKept);
      // Refused together: the next prompt brings it along.
      kept?.catch(() => {
        core.leftBehind = leftBehind;
      });
      return this.#answer(current, kept);
    };
    return { take };
  }

  /** The turn of one that stands in line. Once the session is closed it is left behind, for the next session. */
  #hold(text: string, current: Current, onKept?: OnKept): Turn {
    const { held, kept } = holdPrompt(this.#core, text, onKept);
    const take = async (): Promise<PromptResult> => {
      await kept;
      const mine = await stillHeld(this.#core, [held]);
      if (!this.#isClosed && mine.length > 0) {
        beginPrompt(this.#core, mine);
        return this.#answer(current);
      }
      this.#leave(current);
      const result = { status: "aborted" } as const;
      // Another session has sent it: listeners that wait for its end get one.
      if (mine.length === 0) this.#core.recorder.announce({ type: "agent_start" }, { type: "agent_end", ...result });
      return result;
    };
    // A refused prompt leaves the line now: an abort means the prompt before it.
    kept?.catch(() => this.#leave(current));
    return { take, kept };
  }

  async #answer(current: Current, kept?: Promise<void>): Promise<PromptResult> {
    await kept;
    return runPrompt(this.#core, {
      signal: current.controller.signal,
      takeSteering: () => current.steering.splice(0),
      onEnd: () => this.#leave(current),
    });
  }

  #leave(current: Current): void {
    const place = this.#line.indexOf(current);
    if (place >= 0) this.#line.splice(place, 1);
  }
}
