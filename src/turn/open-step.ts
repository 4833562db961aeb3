import { type GenerationEvent, type Listener, preparePolicy, type StreamGeneration } from "../kernel/index.ts";
import { type ModelCallInput, type ModelEvent, openModelCall } from "../providers/open-model-call.ts";
import type { ProviderRequest } from "../providers/provider.ts";
import { verbatimOf } from "../providers/verbatim-of.ts";
import type { RunTurnInput } from "./run-turn-input.ts";
import { strategyPorts } from "./strategy-ports.ts";
import type { StepWatch } from "./turn-engine.ts";
import { codeOf, emittedProblem, policyFor, thrownProblem } from "./turn-policy.ts";
import type { TurnEventBody } from "./turn-voice.ts";

/** A wait before a retry, as clients see it. */
type StepWait = Omit<Extract<TurnEventBody, { type: "provider-retry" }>, "type" | "toolCallId">;

export interface StepRequest {
  readonly turn: RunTurnInput & Required<Pick<RunTurnInput, "ports">>;
  readonly request: Pick<ProviderRequest, "system" | "messages" | "tools">;
  /** Absent: a step of the turn itself. */
  readonly toolCallId?: string;
  readonly onWait: (wait: StepWait) => void;
  /** Hears the engine's events. */
  readonly onEvent?: (event: GenerationEvent) => void;
}

export interface OpenStep {
  readonly generation: StreamGeneration<ModelEvent>;
  /** To be called with each item that is read. */
  note(item: ModelEvent): void;
}

/** One step is one generation of the engine: nothing here loops around a call. */
export function openStep({ turn, request, toolCallId, onWait, onEvent }: StepRequest): OpenStep {
  const { maxTokens, signal } = turn;
  const watch = turn.engine?.watch?.(toolCallId);
  const on: Listener = (event, handle) => {
    watch?.on(event, handle);
    onEvent?.(event);
    if (event.type === "wait-start") onWait(turn.engine === undefined ? waitOf(event) : manageableWait(event));
  };
  const generation: StreamGeneration<ModelEvent> = openModelCall({
    ...callOf(turn, () => void generation.giveUp()),
    request: { ...request, ...(maxTokens !== undefined && { maxTokens }) },
    ...(signal !== undefined && { signal }),
    on,
  });
  return { generation, note: watch === undefined ? ignoreItem : noteInto(watch) };
}

type Call = Omit<ModelCallInput, "request" | "signal" | "on">;

/** With an engine the classifier judges what a provider emits; without, the emitter's flag decides (K2). */
function callOf(
  { engine, provider, model, credential, retry, ...turn }: StepRequest["turn"],
  onBroken: () => void,
): Call {
  if (engine === undefined) {
    const ports = retry === undefined ? turn.ports : strategyPorts(turn.ports, retry, onBroken);
    return {
      ...{ ports, emittedProblem, thrownProblem, policy: policyFor(retry), sink: "committed" },
      targets: [{ provider: provider.name, model, credentials: [credential ?? ""] }],
      providerOf: () => provider,
    };
  }
  const { policy, targets, providerOf, health } = engine;
  return {
    ...{ ports: turn.ports, thrownProblem, policy: preparePolicy(policy), targets, providerOf },
    sink: policy.require === null ? "committed" : "buffered",
    ...(health !== undefined && { health }),
  };
}

function ignoreItem(): void {}

function noteInto(watch: StepWatch): OpenStep["note"] {
  let hasContent = false;
  return (item) => {
    if (item.type === "usage") watch.usage({ inputTokens: item.inputTokens, outputTokens: item.outputTokens });
    if (hasContent || !isContent(item)) return;
    hasContent = true;
    watch.content();
  };
}

function isContent(item: ModelEvent): boolean {
  if (item.type === "text" || item.type === "reasoning") return item.text !== "";
  return item.type === "tool-call" || item.type === "usage";
}

type WaitStart = Extract<GenerationEvent, { type: "wait-start" }>;

/** K3, field by field. The engine counts retries from 1, the wire from 0. */
function waitOf({ retry, delayMs, failure, until }: WaitStart): StepWait {
  const code = codeOf(failure);
  return {
    attempt: retry - 1,
    delayMs,
    message: verbatimOf(failure),
    ...(code !== undefined && { code }),
    retryAt: until,
  };
}

/** B8: with the name by which a client may end the wait. */
function manageableWait(event: WaitStart): StepWait {
  return { ...waitOf(event), generationId: event.generationId, maxRetries: event.maxRetries };
}
