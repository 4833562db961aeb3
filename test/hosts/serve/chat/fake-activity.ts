import type { Activity, GenerationFacts, GenerationWatch } from "../../../../src/activity/activity.ts";
import type { GenerationEvent, GenerationHandle } from "../../../../src/kernel/index.ts";
import type { ActivityRecord, HealthView } from "../../../../src/wire/http/activity.ts";

/** Just enough of an `Activity` for the chat: what was watched, and handles on what is under way. */
export class FakeActivity implements Pick<Activity, "watch" | "running" | "subscribe" | "health"> {
  readonly facts: GenerationFacts[] = [];
  readonly events: GenerationEvent[] = [];
  readonly contents: string[] = [];
  readonly usages: number[] = [];
  readonly handles = new Map<string, GenerationHandle>();
  readonly #listeners = new Set<(records: readonly ActivityRecord[]) => void>();
  readonly #records = new Map<string, ActivityRecord>();
  view: HealthView = { items: [], fine: [], budgets: [] };

  watch(facts: GenerationFacts): GenerationWatch {
    this.facts.push(facts);
    const { asked, policy, door } = facts;
    return {
      on: (event, handle) => {
        this.events.push(event);
        if (event.type === "generation-end") this.handles.delete(event.generationId);
        else this.handles.set(event.generationId, handle);
        const state = event.type === "generation-end" ? "ended" : "attempting";
        const { generationId: id, at } = event;
        const record = { id, door, policy, asked, startedAt: at, state, attempts: [], attemptCount: 0, waitedMs: 0 };
        this.tell({ ...facts, ...record } as ActivityRecord);
      },
      content: () => void this.contents.push(asked),
      usage: ({ outputTokens }) => void this.usages.push(outputTokens),
    };
  }

  tell(record: ActivityRecord): void {
    if (record.state === "ended") this.#records.delete(record.id);
    else this.#records.set(record.id, record);
    for (const hear of this.#listeners) hear([record]);
  }

  running(): readonly ActivityRecord[] {
    return [...this.#records.values()];
  }

  subscribe(listener: (records: readonly ActivityRecord[]) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  health(): HealthView {
    return this.view;
  }

  retryNow(): void {
    for (const handle of this.handles.values()) handle.retryNow();
  }
}
