import type { GenerationEvent, Ports } from "../../kernel/index.ts";
import { verbatimOf } from "../../providers/verbatim-of.ts";
import type { JournalStore } from "../../store/store.ts";

/** Listens to one generation and writes down each attempt as it ended. Not awaited: it is for looking back. */
export function keepJournal(
  journal: JournalStore,
  conversationId: string,
  ports: Ports,
): (event: GenerationEvent) => void {
  let startedAt = 0;
  let waitedMs = 0;
  return (event) => {
    if (event.type === "attempt-start") startedAt = event.at;
    else if (event.type === "wait-end") waitedMs += event.waitedMs;
    else if (event.type === "attempt-end") {
      const { at, generationId, attempt, target, ok, failure } = event;
      const record = {
        ...{ at, generationId, attempt, ...target, ok },
        ...(failure !== undefined && { kind: failure.kind, message: verbatimOf(failure) }),
        ...(failure?.status !== undefined && { status: failure.status }),
        ...{ conversationId, durationMs: Math.max(0, at - startedAt), waitedMs },
      };
      waitedMs = 0;
      journal.add(record).catch((fault) => ports.reportFault(fault, "journal"));
    }
  };
}
