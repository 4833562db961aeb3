import { type AttemptContext, CallGeneration, type CallSetup } from "../../kernel/index.ts";
import { attemptOptions, generationId } from "./attempt-options.ts";
import type { Model } from "./check-models.ts";
import type { Chained } from "./door.ts";
import { finalError } from "./final-error.ts";
import { withReceipt } from "./with-receipt.ts";

// One function that hands `resolve` out, instead of a closure for every call: nothing can come between the two lines.
let taken: (outcome: unknown) => void = () => undefined;
const takeResolve = (resolve: (outcome: unknown) => void): void => {
  taken = resolve;
};

/** What the caller of a model gets when the generation has ended. */
export const present: CallSetup["present"] = (generation) =>
  generation.ok ? withReceipt(generation.value as object, generation.receipt) : Promise.reject(finalError(generation));

interface ModelCall<M, O, R> {
  readonly chained: Chained<M>;
  readonly setup: CallSetup;
  readonly options: O;
  readonly call: (model: M, options: O) => PromiseLike<R>;
}

/** Calls a model of the chain, as one generation. */
export function callModel<M extends Model, O extends Parameters<typeof generationId>[0], R>({
  chained,
  setup,
  options,
  call,
}: ModelCall<M, O, R>): Promise<R> {
  const id = generationId(options);
  const { modelAt, primary } = chained;
  const attempt = (context: AttemptContext): PromiseLike<R> =>
    call(modelAt(context.target), attemptOptions(options, context, primary.provider));
  const promise = new Promise<unknown>(takeResolve);
  new CallGeneration(setup, attempt, taken, options.abortSignal ?? undefined, id).start();
  return promise as Promise<R>;
}
