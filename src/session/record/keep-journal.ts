import type { GenerationEvent, Ports } from "../../kernel/index.ts";
import { verbatimOf } from "../../providers/verbatim-of.ts";
import type { JournalRecord, JournalStore } from "../../store/store.ts";

export interface JournalInput {
  readonly journal: JournalStore;
  readonly conversationId: string;
  readonly ports: Ports;
}

/** Listens to one generation and writes down each attempt as it ended. Not awaited: it is for looking back. */
export function keepJournal({ journal, conversationId, ports }: JournalInput): (event: GenerationEvent) => void {
  let startedAt = 0;
  let waitedMs = 0;
  return (event) => {
    if (event.type === "attempt-start") startedAt = event.at;
    else if (event.type === "wait-end") waitedMs += event.waitedMs;
    else if (event.type === "attempt-end") {
      const record = recordOf(event, { conversationId, durationMs: Math.max(0, event.at - startedAt), waitedMs });
      waitedMs = 0;
      journal.add(record).catch((fault) => ports.reportFault(fault, "journal"));
    }
  };
}

function recordOf(
  { at, generationId, attempt, target, ok, failure }: Extract<GenerationEvent, { type: "attempt-end" }>,
  more: Pick<JournalRecord, "conversationId" | "durationMs" | "waitedMs">,
): JournalRecord {
  return {
    at,
    generationId,
    attempt,
    ...target,
    ok,
    ...(failure !== undefined && { kind: failure.kind, message: verbatimOf(failure) }),
    ...(failure?.status !== undefined && { status: failure.status }),
    ...more,
  };
}
