import {
  type Failure,
  type GenerationHandle,
  type Policy,
  type Ports,
  preparePolicy,
  type Receipt,
  type TargetEntry,
} from "../../kernel/index.ts";
import { openModelCall } from "../../providers/open-model-call.ts";
import type { FinishReason, Provider } from "../../providers/provider.ts";
import { systemPorts } from "../../system/index.ts";
import { sayShortfall } from "../../terminal/index.ts";
import type { WaitStart } from "./wait-line.ts";

export interface AskInput {
  readonly question: string;
  readonly provider: Provider;
  readonly target: TargetEntry;
  readonly policy: Policy;
  /** Longest time in all that is spent waiting between attempts. */
  readonly maxWaitMs: number;
  /** Nothing is shown before the answer is whole: even a broken one can then be asked for again. */
  readonly isBuffered: boolean;
  readonly ports?: Ports;
  readonly onText: (text: string) => void;
  readonly onWait: (wait: WaitStart, generation: GenerationHandle) => void;
  readonly onWaitEnd: () => void;
}

export interface Asked {
  readonly receipt: Receipt;
  /** Why there is no complete answer. */
  readonly failure?: Failure;
  /** The waits would have been longer than they may be. */
  readonly isOutOfTime: boolean;
  /** Why a finished answer is incomplete, for example because it reached a limit or has no text. */
  readonly shortfall?: string;
}

/** One question is one generation of the engine. It can be given up at any moment. */
export function carryAsk(input: AskInput): { readonly ended: Promise<Asked>; giveUp(): void } {
  const { question, provider, target, policy, maxWaitMs, isBuffered, ports = systemPorts() } = input;
  let isOutOfTime = false;
  let waitedMs = 0;
  const generation = openModelCall({
    ...{ targets: [target], ports, policy: preparePolicy(policy), sink: isBuffered ? "buffered" : "committed" },
    providerOf: () => provider,
    request: { messages: [{ role: "user", content: question }] },
    on: (event, handle) => {
      if (event.type === "wait-end") {
        waitedMs += event.waitedMs;
        input.onWaitEnd();
      }
      if (event.type !== "wait-start") return;
      isOutOfTime = waitedMs + event.delayMs > maxWaitMs;
      if (isOutOfTime) handle.giveUp();
      else input.onWait({ ...event, patienceMs: shorterOf(event.patienceMs, maxWaitMs) }, handle);
    },
  });
  return { giveUp: () => void generation.giveUp(), ended: read() };

  async function read(): Promise<Asked> {
    let finish: FinishReason = "end";
    let hasText = false;
    try {
      for await (const event of generation) {
        if (event.type === "finish") finish = event.reason;
        if (event.type !== "text" || event.text === "") continue;
        hasText = true;
        input.onText(event.text);
      }
    } catch (thrown) {
      // The receipt has it. What is thrown although the answer is complete is a fault of our own.
      if (generation.receipt.complete) throw thrown;
    }
    const { receipt, failure } = generation;
    const shortfall = receipt.complete ? sayShortfall({ finish, hasText }) : undefined;
    if (shortfall !== undefined) return { receipt: notWhole(receipt, hasText), isOutOfTime, shortfall };
    return { receipt, isOutOfTime, ...(failure !== undefined && { failure }) };
  }
}

/** The limit that ends the question first, for the countdown; null: none. */
function shorterOf(patienceMs: number | null, maxWaitMs: number): number | null {
  const leastMs = Math.min(patienceMs ?? Number.POSITIVE_INFINITY, maxWaitMs);
  return leastMs === Number.POSITIVE_INFINITY ? null : leastMs;
}

/** The engine counts every properly ended answer as a success, even one at a limit. The caller needs to know if it is complete. */
function notWhole(receipt: Receipt, hasText: boolean): Receipt {
  return { ...receipt, complete: false, truncated: hasText, outcome: "not-retryable" };
}
