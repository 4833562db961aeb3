import { untilAborted } from "../../turn/index.ts";
import type { SessionCore } from "../session-core.ts";
import { askModel } from "./ask-model.ts";
import { splitContext, summarise } from "./compaction.ts";

/** Puts a summary in the place of the older part of the context. False: it could not be done; the context is as it was. */
export async function compact(
  core: SessionCore,
  reason: "overflow" | "threshold",
  signal: AbortSignal,
): Promise<boolean> {
  const { recorder, parts } = core;
  recorder.announce({ type: "compaction_start", reason });
  try {
    const split = splitContext(recorder.context);
    if (split === undefined) throw new Error("There is nothing to compact");
    const ask = askModel(core, { origin: "compaction", role: "small", signal });
    const summary = await untilAborted((parts.compact ?? summarise)(split.older, ask, signal), signal);
    const entry = { type: "compaction", data: { summary, kept: split.kept } } as const;
    recorder.record(entry, { type: "compaction_end", success: true, summary });
    return true;
  } catch (fault) {
    const error = signal.aborted ? "Aborted" : fault instanceof Error ? fault.message : String(fault);
    recorder.announce({ type: "compaction_end", success: false, error });
    return false;
  }
}
