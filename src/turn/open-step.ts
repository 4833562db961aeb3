import { type GenerationEvent, StreamGeneration } from "../kernel/index.ts";
import { toError } from "../library/secondwind-error.ts";
import { setupOf } from "../library/setup.ts";
import { textOf } from "../library/text-of.ts";
import type { ProviderEvent, ProviderRequest } from "../providers/provider.ts";
import { readProviderEvent } from "./read-provider-event.ts";
import type { RunTurnInput } from "./run-turn-input.ts";
import { codeOf, verbatimOf } from "./step-problem.ts";
import { strategyPorts } from "./strategy-ports.ts";
import { emittedProblem, policyFor, thrownProblem } from "./turn-policy.ts";

/** A wait before a retry, as clients are told of it. */
export interface StepWait {
  readonly attempt: number;
  readonly delayMs: number;
  readonly message: string;
  readonly code?: string;
  readonly retryAt: number;
}

export interface StepRequest {
  readonly turn: RunTurnInput & Required<Pick<RunTurnInput, "ports">>;
  readonly request: Pick<ProviderRequest, "system" | "messages" | "tools">;
  readonly onWait: (wait: StepWait) => void;
}

/** One step is one generation of the engine: nothing here loops around a call. */
export function openStep({ turn, request, onWait }: StepRequest): StreamGeneration<ProviderEvent> {
  const { provider, model, credential, maxTokens, signal, retry } = turn;
  const whole: ProviderRequest = {
    model,
    ...request,
    ...(credential !== undefined && { credential }),
    ...(maxTokens !== undefined && { maxTokens }),
  };
  const ports =
    retry === undefined
      ? turn.ports
      : strategyPorts({ ports: turn.ports, strategy: retry, onBroken: () => generation.giveUp() });
  const targets = [{ provider: provider.name, model, credentials: [credential ?? ""] }];
  const generation: StreamGeneration<ProviderEvent> = new StreamGeneration<ProviderEvent>(
    {
      ...setupOf(undefined, { targets, ports, on: (event) => tellWait(event, onWait) }),
      policy: policyFor(retry),
      health: undefined,
      inspect: (event) => readProviderEvent(event, emittedProblem),
      sink: "committed",
      textOf,
      toError,
    },
    (attempt) => markThrown(() => provider.stream(whole, attempt.signal)),
    signal,
    "",
  );
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

async function* markThrown(open: () => AsyncIterable<ProviderEvent>): AsyncGenerator<ProviderEvent> {
  try {
    yield* open();
  } catch (thrown) {
    throw thrownProblem(thrown);
  }
}
