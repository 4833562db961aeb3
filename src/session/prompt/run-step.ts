import { verbatimOf } from "../../providers/verbatim-of.ts";
import type { AssistantMessage, FailureFacts, ToolCallPart } from "../../wire/index.ts";
import { closeCalls } from "../record/context.ts";
import { openGeneration } from "../retry/open-generation.ts";
import { factsOf } from "../retry/retry-dialect.ts";
import type { SessionCore } from "../session-core.ts";
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
  | ({ readonly type: "overflow" } & StepError)
  | ({ readonly type: "failed" } & StepError)
  | { readonly type: "aborted" };

export interface StepError {
  /** The provider's words. */
  readonly error: string;
  /** What is known of it, if a provider or the engine reported it. */
  readonly failure?: FailureFacts & { readonly message: string };
}

/** One step of the agent: one generation of the engine, shown as it comes, kept as it ended. */
export async function runStep(core: SessionCore, signal: AbortSignal): Promise<StepOutcome> {
  const { options, settings, chosen, tools } = core;
  const isCommitted = options.sink === "committed";
  const showing = new Showing(core);
  const call = openGeneration(core, {
    role: "default",
    // A primary that does not come back is none any more.
    primary: settings.fallbackRevertPolicy === "never" ? core.active : chosen,
    active: core.active,
    signal,
    sink: options.sink ?? "retractable",
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
    const error = failure === undefined ? String(thrown) : verbatimOf(failure);
    if (isCommitted) showing.breakOff(signal.aborted ? `Cancelled: ${error}` : error);
    else if (signal.aborted) showing.abort();
    // Every target is cut off for too long: no attempt was made, yet the prompt has failed.
    else if (attemptsMade === 0 && failure !== undefined) showing.fail(failure);
    call.end();
    if (signal.aborted) return { type: "aborted" };
    const facts = failure === undefined ? {} : { failure: { ...factsOf(failure), message: failure.message } };
    return { type: reason === "hand-over" ? "overflow" : "failed", error, ...facts };
  }
  const { end } = showing;
  // A call of a tool that exists is half of an answer: the rest follows with its result.
  const isCall = end.finish === "tool-use" && tools.length > 0;
  const shortfall = isCall ? undefined : core.parts.shortfallOf?.(end);
  if (shortfall !== undefined) {
    showing.breakOff(shortfall);
    call.end();
    return { type: "failed", error: shortfall };
  }
  const answer = showing.finish();
  return { type: "good", ...answer, wasRetried: call.end().wasRetried };
}
