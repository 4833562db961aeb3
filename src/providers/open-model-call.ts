import {
  type Health,
  type Listener,
  type Ports,
  type PreparedPolicy,
  type ResponseHead,
  type Resumption,
  type SavedGeneration,
  type Sink,
  StreamGeneration,
  type Target,
  type TargetEntry,
} from "../kernel/index.ts";
import { toError } from "../library/secondwind-error.ts";
import { setupOf } from "../library/setup.ts";
import { inspectEvent } from "./inspect-event.ts";
import type { Provider, ProviderError, ProviderEvent, ProviderRequest } from "./provider.ts";
import { yieldingStream } from "./yielding-stream.ts";

/** What comes out of a model call: the provider's events. `discard` takes back everything before it. */
export type ModelEvent = ProviderEvent | { readonly type: "discard" };

export interface ModelCallInput {
  readonly providerOf: (name: string) => Provider | undefined;
  readonly request: Omit<ProviderRequest, "model" | "credential">;
  readonly targets: readonly TargetEntry[];
  readonly policy: PreparedPolicy;
  /** Asked at every failure; false: it is not retried. Default: the policy's `enabled`. */
  readonly isEnabled?: () => boolean;
  /** `retractable`: a consumer that clears the partial answer at a `discard`. */
  readonly sink: "committed" | "buffered" | "retractable";
  readonly health?: Health;
  readonly ports: Ports;
  readonly on?: Listener;
  readonly signal?: AbortSignal | undefined;
  /** Awaited before each attempt. */
  readonly beforeAttempt?: () => Promise<void>;
  /** Called when the headers of an attempt's response have come: they have the provider's limits. */
  readonly onHead?: (target: Target, head: ResponseHead) => void;
  /** What the classifier gets for an error event. Default: a `ProviderProblem`. */
  readonly emittedProblem?: (error: ProviderError) => unknown;
  /** What the classifier gets for what a provider threw. Default: the same. */
  readonly thrownProblem?: (thrown: unknown) => unknown;
  /** Names the generation. Default: a new id. */
  readonly id?: string;
  /** Asked before each wait; true: the caller keeps it, and the call is left there. */
  readonly park?: (saved: SavedGeneration) => boolean;
  /** Goes on with a call that was left in a wait. */
  readonly resume?: Resumption;
}

/** Opens a model call as one generation of the engine. Every host's model calls are opened here. */
export function openModelCall(input: ModelCallInput): StreamGeneration<ModelEvent> {
  const { targets, policy, ports, health, on, signal, thrownProblem } = input;
  const setup = setupOf(policy.policy, {
    ...{ targets, ports },
    ...(health !== undefined && { health }),
    ...(on !== undefined && { on }),
  });
  const sink: Sink<ModelEvent> =
    input.sink === "retractable" ? { retractable: () => ({ type: "discard" }) } : input.sink;
  return new StreamGeneration<ModelEvent>(
    {
      ...setup,
      policy: input.isEnabled === undefined ? policy : switchable(policy, input.isEnabled),
      sink,
      inspect: (event) => (event.type === "discard" ? "noise" : inspectEvent(event, input.emittedProblem)),
      textOf: answerText,
      toError,
      ...(input.park !== undefined && { park: input.park }),
      ...(input.resume !== undefined && { resume: input.resume }),
    },
    async ({ target, signal: attemptSignal }) => {
      await input.beforeAttempt?.();
      const { provider: name, model, credential } = target;
      const provider = input.providerOf(name);
      if (provider === undefined) throw new Error(`Unknown provider: ${name}`);
      const { onHead } = input;
      const startedMs = ports.now();
      const request = {
        ...input.request,
        model,
        ...(credential !== "" && { credential }),
        ...(onHead !== undefined && {
          onHead: (status: number, headers: unknown) => onHead(target, { startedMs, status, headers }),
        }),
      };
      return yieldingStream(() => provider.stream(request, attemptSignal), ports, thrownProblem);
    },
    signal,
    input.id ?? "",
  );
}

function switchable(prepared: PreparedPolicy, isEnabled: () => boolean): PreparedPolicy {
  const { policy } = prepared;
  const isOn = (): boolean => policy.enabled && isEnabled();
  return { ...prepared, policy: Object.defineProperty({ ...policy }, "enabled", { get: isOn, enumerable: true }) };
}

/** The text that a content requirement looks at: reasoning is not part of the answer. */
function answerText(event: ModelEvent): string {
  return event.type === "text" ? event.text : "";
}
