import { verbatimOf } from "../providers/verbatim-of.ts";
import type { AssistantMessage, ToolCallPart } from "../wire/index.ts";
import { closeCalls } from "./context.ts";
import { openGeneration } from "./open-generation.ts";
import type { SessionCore } from "./session-core.ts";
import { Showing } from "./showing.ts";

/** How one answer of the model ended, retries and fallback included. */
export type StepOutcome =
  | {
      readonly type: "good";
      readonly message: AssistantMessage;
      readonly calls: readonly ToolCallPart[];
      readonly wasRetried: boolean;
    }
  /** The context is too long: compaction may help. */
  | { readonly type: "overflow"; readonly error: string }
  | { readonly type: "failed"; readonly error: string }
  | { readonly type: "aborted" };

/** One step of the agent: one generation of the engine, shown as it comes, kept as it ended. */
export async function runStep(core: SessionCore, signal: AbortSignal): Promise<StepOutcome> {
  const { options, settings, chosen } = core;
  const { tools = [] } = core.parts;
  const showing = new Showing(core);
  const call = openGeneration(core, {
    role: "default",
    // A primary that does not come back is none any more.
    primary: settings.fallbackRevertPolicy === "never" ? core.active : chosen,
    active: core.active,
    signal,
    sink: "retractable",
    request: {
      ...(options.system !== undefined && { system: options.system }),
      messages: closeCalls(core.recorder.context),
      ...(tools.length > 0 && { tools: tools.map(({ spec }) => spec) }),
    },
    onEvent: (event) => showing.hear(event),
    onModel: (model) => {
      core.active = model;
    },
  });
  try {
    for await (const item of call.generation) showing.take(item);
  } catch (thrown) {
    const { failure, reason, attemptsMade } = call.generation;
    if (signal.aborted) showing.abort();
    // Everything is cut off and too long so: no attempt was made, yet the prompt has failed.
    else if (attemptsMade === 0 && failure !== undefined) showing.fail(failure);
    call.end();
    if (signal.aborted) return { type: "aborted" };
    const error = failure === undefined ? String(thrown) : verbatimOf(failure);
    return { type: reason === "hand-over" ? "overflow" : "failed", error };
  }
  const answer = showing.finish();
  return { type: "good", ...answer, wasRetried: call.end().wasRetried };
}
