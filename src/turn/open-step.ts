import type { GenerationEvent, StreamGeneration } from "../kernel/index.ts";
import { type ModelEvent, openModelCall } from "../providers/open-model-call.ts";
import type { ProviderRequest } from "../providers/provider.ts";
import { verbatimOf } from "../providers/verbatim-of.ts";
import type { RunTurnInput } from "./run-turn-input.ts";
import { strategyPorts } from "./strategy-ports.ts";
import { codeOf, emittedProblem, policyFor, thrownProblem } from "./turn-policy.ts";
import type { TurnEventBody } from "./turn-voice.ts";

/** A wait before a retry, as clients see it. */
type StepWait = Omit<Extract<TurnEventBody, { type: "provider-retry" }>, "type" | "toolCallId">;

export interface StepRequest {
  readonly turn: RunTurnInput & Required<Pick<RunTurnInput, "ports">>;
  readonly request: Pick<ProviderRequest, "system" | "messages" | "tools">;
  readonly onWait: (wait: StepWait) => void;
}

/** One step is one generation of the engine: nothing here loops around a call. */
export function openStep({ turn, request, onWait }: StepRequest): StreamGeneration<ModelEvent> {
  const { provider, model, credential, maxTokens, signal, retry } = turn;
  const ports = retry === undefined ? turn.ports : strategyPorts(turn.ports, retry, () => void generation.giveUp());
  const generation: StreamGeneration<ModelEvent> = openModelCall({
    ...{ ports, emittedProblem, thrownProblem, policy: policyFor(retry), sink: "committed" },
    targets: [{ provider: provider.name, model, credentials: [credential ?? ""] }],
    providerOf: () => provider,
    request: { ...request, ...(maxTokens !== undefined && { maxTokens }) },
    ...(signal !== undefined && { signal }),
    on: (event) => tellWait(event, onWait),
  });
  return generation;
}

/** The engine counts retries from 1, the wire from 0. */
function tellWait(event: GenerationEvent, onWait: (wait: StepWait) => void): void {
  if (event.type !== "wait-start") return;
  const code = codeOf(event.failure);
  onWait({
    attempt: event.retry - 1,
    delayMs: event.delayMs,
    message: verbatimOf(event.failure),
    ...(code !== undefined && { code }),
    retryAt: event.until,
  });
}
