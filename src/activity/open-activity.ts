import type { ClearableHealth, GenerationEvent, Policy, Ports } from "../kernel/index.ts";
import type { Store } from "../store/index.ts";
import type {
  ActivityPage,
  ActivityQuery,
  ActivityRecord,
  ActivitySummary,
  HealthView,
} from "../wire/http/activity.ts";
import type { Estimate } from "../wire/http/server.ts";
import type { Redact, Usage } from "../wire/index.ts";
import type { Activity, GenerationFacts, GenerationWatch } from "./activity.ts";
import { Batches } from "./batches.ts";
import type { Entry, Heard } from "./entry.ts";
import { estimatePolicy } from "./estimate/estimate-policy.ts";
import { healthView, readHealthId } from "./health-view.ts";
import { Journal } from "./journal.ts";
import { listRecords } from "./list-records.ts";
import { GenerationMetrics } from "./metrics/generation-metrics.ts";
import { ProcessMetrics } from "./metrics/process-metrics.ts";
import { RecordWindow } from "./record-window.ts";
import { redactNames, withSafeTarget } from "./redact-names.ts";
import { isSameFacts } from "./same-facts.ts";
import { isSameHealth } from "./same-health.ts";
import { summarise } from "./summarise.ts";

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
/** How often health is looked at for listeners. */
const LOOK_MS = 1000;
/** Totals may be this old. */
const SUMMARY_MS = 1000;

type ChangeListener = (records: readonly ActivityRecord[]) => void;

export async function openActivity(options: ActivityOptions): Promise<Activity> {
  return new LiveActivity(options);
}

class LiveActivity implements Activity {
  readonly #ports: ActivityOptions["ports"];
  readonly #redact: Redact;
  readonly #health: ClearableHealth;
  readonly #window: RecordWindow;
  readonly #figures = new GenerationMetrics();
  readonly #process = new ProcessMetrics();
  #seen: HealthView = { items: [], fine: [], budgets: [] };
  #look: NodeJS.Timeout | undefined;
  #summary: ActivitySummary | undefined;
  #lastFacts: GenerationFacts = { door: "", policy: "", asked: "" };
  #lastEstimate: Promise<unknown> = Promise.resolve();
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
    const safe = redactNames(facts, this.#redact);
    // Most are alike: one object for all that are keeps what is remembered small.
    if (!isSameFacts(safe, this.#lastFacts)) this.#lastFacts = safe;
    const kept = this.#lastFacts;
    let entry: Entry | undefined;
    /** The attempt whose content has been heard of, and the one that is under way; 0: none. */
    let committed = 0;
    let current = 0;
    let startedAt = 0;
    return {
      on: (event, handle) => {
        if (entry === undefined) {
          entry = this.#window.add(kept, handle);
          startedAt = event.at;
        }
        if (event.type === "attempt-start") current = event.attempt;
        else if (event.type === "attempt-end") current = 0;
        this.#hear(entry, event);
      },
      content: () => {
        if (entry === undefined || current === 0 || committed === current) return;
        const at = this.#ports.wallNow();
        this.#change(entry, { type: "content", at });
        if (committed === 0) this.#figures.content(kept.door, at - startedAt);
        committed = current;
      },
      usage: (usage: Usage) => {
        if (entry === undefined) return;
        this.#change(entry, { type: "usage", usage });
        if (entry.place < 0) this.#window.revive(entry);
      },
    };
  }

  async list(query: ActivityQuery): Promise<ActivityPage> {
    await this.#isRestored;
    return listRecords(this.#window.newestFirst(), query);
  }

  async summary(): Promise<ActivitySummary> {
    await this.#isRestored;
    const at = this.#ports.wallNow();
    // Several pages ask at the same time, again and again.
    if (this.#summary === undefined || Math.abs(at - this.#summary.at) >= SUMMARY_MS) {
      this.#summary = summarise(this.#window.newestFirst(), at);
    }
    return this.#summary;
  }

  subscribe(listener: ChangeListener): () => void {
    const own: ChangeListener = (records) => listener(records);
    this.#listeners.add(own);
    // A cooldown ends without any generation.
    this.#look ??= setInterval(() => this.#announceHealth(), LOOK_MS).unref();
    return () => {
      this.#listeners.delete(own);
      if (this.#listeners.size === 0) this.#stopLooking();
    };
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
    const { now, wallNow } = this.#ports;
    const view = healthView(this.#health.snapshot(now()), wallNow());
    // The same object as long as nothing has changed: a listener need not send it again.
    if (!isSameHealth(view, this.#seen)) this.#seen = view;
    return this.#seen;
  }

  async clear(id: string): Promise<boolean> {
    const subject = readHealthId(id);
    if (subject === undefined) return false;
    if (subject.type === "breaker") return this.#health.closeBreaker(subject.provider);
    return this.#health.endCooldown(subject.target, subject.scope);
  }

  async estimate(policy: Policy, signal: AbortSignal): Promise<Estimate> {
    await this.#isRestored;
    const run = (): Promise<Estimate> => {
      signal.throwIfAborted();
      return estimatePolicy(this.#window.newestFirst(), policy, signal);
    };
    const next = this.#lastEstimate.then(run);
    this.#lastEstimate = next.catch(() => undefined);
    return next;
  }

  metrics(): string {
    return this.#figures.text(this.running(), this.health()) + this.#process.text();
  }

  async close(): Promise<void> {
    this.#process.close();
    this.#changes.flush();
    this.#listeners.clear();
    this.#stopLooking();
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
    const heard = event.type === "attempt-start" ? withSafeTarget(event, this.#redact) : event;
    this.#change(entry, heard);
    if (event.type === "generation-end") this.#window.end(entry);
    this.#figures.hear(entry.facts.door, heard);
  }

  #change(entry: Entry, heard: Heard): void {
    entry.hear(heard);
    this.#journal?.note(entry);
    if (this.#listeners.size > 0) this.#changes.add(entry);
  }

  #announceHealth(): void {
    const before = this.#seen;
    if (this.health() !== before) this.#tell([]);
  }

  #stopLooking(): void {
    clearInterval(this.#look);
    this.#look = undefined;
  }

  #announce(entries: readonly Entry[]): void {
    this.#tell(entries.map(({ record }) => record));
  }

  #tell(records: readonly ActivityRecord[]): void {
    for (const listener of this.#listeners) {
      try {
        listener(records);
      } catch (fault) {
        this.#ports.reportFault(fault, "activity");
      }
    }
  }
}
