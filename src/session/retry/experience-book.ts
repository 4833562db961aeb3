import type { Failure, GenerationEvent, Ports } from "../../kernel/index.ts";
import type { Experience, ExperienceKey, ExperienceStore } from "../../store/store.ts";
import { addOutcome, NO_TALLY } from "../../store/tally.ts";
import type { TrackRecord } from "./adaptive-delay.ts";
import { statusName } from "./status-name.ts";

const ENDPOINT = "chat";

/** How retries ended, per provider and status: read once, updated in memory, written through. */
export class ExperienceBook {
  readonly #known = new Map<string, TrackRecord>();
  readonly #store: ExperienceStore;
  readonly #ports: Ports;

  private constructor(store: ExperienceStore, ports: Ports) {
    this.#store = store;
    this.#ports = ports;
  }

  static async open(store: ExperienceStore, ports: Ports): Promise<ExperienceBook> {
    const book = new ExperienceBook(store, ports);
    try {
      for (const known of await store.list()) book.#known.set(nameOf(known), known);
    } catch (fault) {
      ports.reportFault(fault, "experience store");
    }
    return book;
  }

  find(failure: Failure): TrackRecord | undefined {
    return this.#known.get(nameOf(keyOf(failure)));
  }

  /** Listens to one generation: which waits were followed by a good attempt. */
  watch(): (event: GenerationEvent) => void {
    let failure: Failure | undefined;
    let waitedMs: number | undefined;
    return (event) => {
      if (event.type === "wait-start") failure = event.failure;
      else if (event.type === "wait-end") waitedMs = event.waitedMs;
      // Another target does not show how long this one needs.
      else if (event.type === "target-switch") waitedMs = undefined;
      else if (event.type === "attempt-end") {
        // An attempt that was called off does not show whether the wait was long enough.
        const isJudged = event.failure?.kind !== "aborted";
        if (isJudged && failure !== undefined && waitedMs !== undefined) this.#note(failure, waitedMs, event.ok);
        waitedMs = undefined;
      }
    };
  }

  #note(failure: Failure, waitedMs: number, ok: boolean): void {
    const key = keyOf(failure);
    const known = this.#known.get(nameOf(key));
    this.#known.set(nameOf(key), addOutcome({ ...NO_TALLY, ...known }, { ok, waitedMs }));
    this.#store.add({ ...key, ok, waitedMs }).catch((fault) => this.#ports.reportFault(fault, "experience store"));
  }
}

function keyOf(failure: Failure): ExperienceKey {
  return { provider: failure.target?.provider ?? "", endpoint: ENDPOINT, status: statusName(failure) };
}

function nameOf({ provider, endpoint, status }: ExperienceKey | Experience): string {
  return [provider, endpoint, status].join("\n");
}
