import type { GenerationEvent } from "../../../kernel/index.ts";
import type { EntryWriter } from "./entry-writer.ts";
import { TurnLog } from "./turn-log.ts";

/** Said while a turn runs; its message follows between two steps. */
export interface Steering {
  readonly promptId: string;
  readonly content: string;
}

/** A turn from its acceptance to its seal. */
export class RunningTurn {
  readonly conversationId: string;
  readonly turnId: string;
  readonly client: string | undefined;
  readonly log = new TurnLog();
  readonly steering: Steering[] = [];
  /** Resolves once everything of the turn is stored. */
  readonly ended: Promise<void>;
  readonly end: () => void;
  /** Resolves once its first entries are stored; never, if they are refused. */
  readonly accepted: Promise<EntryWriter>;
  readonly accept: (writer: EntryWriter) => void;
  /** The server stops: the turn is to be continued, not aborted. */
  isInterrupted = false;
  /** It takes no more steering. */
  isSealed = false;
  readonly #controller = new AbortController();
  /** End of the wait by generation: a step's, and those inside tool calls. */
  readonly #waits = new Map<string, number>();

  constructor(conversationId: string, turnId: string, client: string | undefined) {
    this.conversationId = conversationId;
    this.turnId = turnId;
    this.client = client;
    ({ promise: this.ended, resolve: this.end } = deferred<void>());
    ({ promise: this.accepted, resolve: this.accept } = deferred<EntryWriter>());
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Epoch milliseconds of the next attempt. Undefined: it does not wait. */
  get retryAt(): number | undefined {
    return this.#waits.size === 0 ? undefined : Math.min(...this.#waits.values());
  }

  abort(): void {
    this.#controller.abort(new DOMException("The turn was aborted", "AbortError"));
  }

  interrupt(): void {
    this.isInterrupted = true;
    this.abort();
  }

  /** Resolves when it is stored. False: the turn has ended. */
  async steer(steering: Steering): Promise<boolean> {
    const writer = await Promise.race([this.accepted, this.ended]);
    if (writer === undefined || this.isSealed) return false;
    this.steering.push(steering);
    try {
      await writer.write([{ type: "prompt", data: steering }]);
      return true;
    } catch (fault) {
      const at = this.steering.indexOf(steering);
      if (at >= 0) this.steering.splice(at, 1);
      throw fault;
    }
  }

  hear(event: GenerationEvent): void {
    if (event.type === "wait-start") this.#waits.set(event.generationId, event.until);
    else if (event.type === "wait-end" || event.type === "generation-end") this.#waits.delete(event.generationId);
  }
}

function deferred<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
