import type { ClearableHealth, GenerationEvent, Ports } from "../kernel/index.ts";
import type { Store } from "../store/index.ts";
import type {
  ActivityPage,
  ActivityQuery,
  ActivityRecord,
  ActivitySummary,
  HealthView,
} from "../wire/http/activity.ts";
import type { Redact, Usage } from "../wire/index.ts";
import type { Activity, GenerationFacts, GenerationWatch } from "./activity.ts";
import { Batches } from "./batches.ts";
import { healthView, readHealthId } from "./health-view.ts";
import { Journal } from "./journal.ts";
import { listRecords } from "./list-records.ts";
import { recordAfter, recordAfterContent, recordAfterUsage, startRecord } from "./record-after.ts";
import { type Entry, RecordWindow } from "./record-window.ts";

/** An assembly has all of these. */
export interface ActivityOptions {
  readonly store: Store;
  readonly health: ClearableHealth;
  readonly ports: Pick<Ports, "now" | "wallNow" | "reportFault">;
  /** Takes secrets out of names that callers choose, such as a model. Default: nothing is a secret. */
  readonly redact?: Redact;
  /** How many generations that have ended are remembered. Default 10,000. */
  readonly limit?: number;
}

const LIMIT = 10_000;
/** Ten batches a second: smooth for a person, cheap for a server. */
const BATCH_MS = 100;

type ChangeListener = (records: readonly ActivityRecord[]) => void;

export async function openActivity(options: ActivityOptions): Promise<Activity> {
  return new LiveActivity(options);
}

class LiveActivity implements Activity {
  readonly #ports: ActivityOptions["ports"];
  readonly #redact: Redact;
  readonly #health: ClearableHealth;
  readonly #window: RecordWindow;
  readonly #listeners = new Set<ChangeListener>();
  readonly #changes = new Batches<Entry>(BATCH_MS, (entries) => this.#announce(entries));

  /** Absent: the store ends with the process, and so does the window. */
  readonly #journal: Journal | undefined;
  /** The records of earlier processes are in the window. */
  readonly #isRestored: Promise<void>;

  constructor({ store, health, ports, redact = (value) => value, limit = LIMIT }: ActivityOptions) {
    this.#ports = ports;
    this.#redact = redact;
    this.#health = health;
    this.#window = new RecordWindow(limit);
    this.#journal = store.isPersistent ? new Journal(store.generations, ports) : undefined;
    this.#isRestored = this.#restore(limit);
  }

  watch(facts: GenerationFacts): GenerationWatch {
    const safe = this.#redact(facts);
    let entry: Entry | undefined;
    return {
      on: (event, handle) => {
        entry ??= this.#window.add(startRecord(safe, event.generationId, event.at), handle);
        this.#hear(entry, event);
      },
      content: () => {
        if (entry !== undefined) this.#change(entry, recordAfterContent(entry.record, this.#ports.wallNow()));
      },
      usage: (usage: Usage) => {
        if (entry !== undefined) this.#change(entry, recordAfterUsage(entry.record, usage));
      },
    };
  }

  async list(query: ActivityQuery): Promise<ActivityPage> {
    await this.#isRestored;
    return listRecords(this.#window.newestFirst(), query);
  }

  async summary(): Promise<ActivitySummary> {
    throw new Error("The summary is not available yet");
  }

  subscribe(listener: ChangeListener): () => void {
    const own: ChangeListener = (records) => listener(records);
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  running(): readonly ActivityRecord[] {
    return this.#window.running();
  }

  find(id: string): ActivityRecord | undefined {
    return this.#window.find(id)?.record;
  }

  retryNow(id: string): boolean {
    return this.#window.find(id)?.handle?.retryNow() ?? false;
  }

  giveUp(id: string): boolean {
    return this.#window.find(id)?.handle?.giveUp() ?? false;
  }

  health(): HealthView {
    return healthView(this.#health.snapshot(this.#ports.now()), this.#ports.wallNow());
  }

  async clear(id: string): Promise<boolean> {
    const subject = readHealthId(id);
    if (subject === undefined) return false;
    if (subject.type === "breaker") return this.#health.closeBreaker(subject.provider);
    return this.#health.endCooldown(subject.target, subject.scope);
  }

  async close(): Promise<void> {
    this.#changes.flush();
    this.#listeners.clear();
    await this.#isRestored;
    await this.#journal?.flush();
  }

  async #restore(limit: number): Promise<void> {
    try {
      this.#window.restore((await this.#journal?.read(limit)) ?? []);
    } catch (fault) {
      this.#ports.reportFault(fault, "journal");
    }
  }

  #hear(entry: Entry, event: GenerationEvent): void {
    const heard = event.type === "attempt-start" ? { ...event, target: this.#redact(event.target) } : event;
    const record = recordAfter(entry.record, heard);
    if (record.state === "ended") this.#window.end(entry);
    this.#change(entry, record);
  }

  #change(entry: Entry, record: ActivityRecord): void {
    if (record === entry.record) return;
    entry.record = record;
    this.#journal?.note(entry);
    if (this.#listeners.size > 0) this.#changes.add(entry);
  }

  #announce(entries: readonly Entry[]): void {
    const records = entries.map(({ record }) => record);
    for (const listener of this.#listeners) {
      try {
        listener(records);
      } catch (fault) {
        this.#ports.reportFault(fault, "activity");
      }
    }
  }
}
