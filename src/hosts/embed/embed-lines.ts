import { definePolicy, type Failure, type GenerationEvent, type Health, type Ports } from "../../kernel/index.ts";
import { backgroundPolicy } from "../../presets/index.ts";
import { embedTexts } from "../../providers/embed-texts.ts";
import type { Provider } from "../../providers/provider.ts";
import { sayFailure, sayMessage } from "../../terminal/index.ts";
import { splitLines } from "../../wire/split-lines.ts";
import { batchInputs } from "./batch-inputs.ts";
import { type EmbedInput, type InputId, MOST_LINE_CHARS } from "./parse-input-line.ts";

export type WaitStart = Extract<GenerationEvent, { type: "wait-start" }>;

export interface EmbedLinesInput {
  readonly provider: Provider;
  readonly model: string;
  readonly credentials: readonly string[];
  readonly health: Health;
  readonly ports: Ports;
  readonly chunks: AsyncIterable<unknown>;
  /** Resolves when the reader is ready for more. */
  readonly write: (text: string) => Promise<void>;
  /** Texts of one request. */
  readonly batch: number;
  /** Requests at the same time. */
  readonly concurrency: number;
  readonly done: ReadonlySet<InputId>;
  readonly signal: AbortSignal;
  readonly onWait: (wait: WaitStart) => void;
  readonly onCount: (counts: Counts) => void;
  /** No more input is read. */
  readonly onStop: () => void;
}

export interface Counts {
  readonly embedded: number;
  readonly failed: number;
  /** Done before, according to --resume. */
  readonly skipped: number;
}

export interface Embedded extends Counts {
  /** Why the rest was not tried: it would have failed in the same way. */
  readonly stopped?: Failure;
}

/** No other text would fare better: a rejected key, an unknown model, a used-up quota. */
const FOR_ALL: ReadonlySet<Failure["kind"]> = new Set(["auth", "permission", "not_found", "usage_limit"]);
/** One text of a batch may be the reason. */
const FOR_ONE: ReadonlySet<Failure["kind"]> = new Set(["bad_request", "context_overflow", "content_filter"]);

/**
 * C6: one vector per line, in batches side by side; each batch is one generation with the background policy. Lines are written as
 * soon as their batch is done, not in the order of the input. After an abort, what was written is whole lines.
 */
export async function embedLines(input: EmbedLinesInput): Promise<Embedded> {
  const { signal, write } = input;
  const counts = { embedded: 0, failed: 0, skipped: 0 };
  let stopped: Failure | undefined;
  const fail = async (lines: readonly object[]): Promise<void> => {
    counts.failed += lines.length;
    await write(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    input.onCount(counts);
  };
  const batches = batchInputs(splitLines(input.chunks, MOST_LINE_CHARS), {
    size: input.batch,
    done: input.done,
    onBad: (line) => fail([line]),
    onSkipped: () => void counts.skipped++,
  });

  const embed = async (batch: readonly EmbedInput[]): Promise<void> => {
    const outcome = await embedBatch(input, batch);
    if (signal.aborted) return;
    if ("vectors" in outcome) {
      await write(batch.map(({ id }, at) => `${JSON.stringify({ id, embedding: outcome.vectors[at] })}\n`).join(""));
      counts.embedded += batch.length;
      return input.onCount(counts);
    }
    const { failure } = outcome;
    if (FOR_ALL.has(failure.kind)) {
      stopped ??= failure;
      input.onStop();
    } else if (FOR_ONE.has(failure.kind) && batch.length > 1) {
      const half = Math.ceil(batch.length / 2);
      await embed(batch.slice(0, half));
      await embed(batch.slice(half));
    } else await fail(batch.map(({ id }) => ({ id, ...describe(failure) })));
  };
  const work = async (): Promise<void> => {
    while (!signal.aborted && stopped === undefined) {
      const next = await batches.next().catch((fault) => {
        // The input was closed because nothing more of it is wanted.
        if (signal.aborted || stopped !== undefined) return undefined;
        throw fault;
      });
      if (next === undefined || next.done === true) return;
      await embed(next.value);
    }
  };
  await Promise.all(Array.from({ length: input.concurrency }, work));
  return { ...counts, ...(stopped !== undefined && { stopped }) };
}

/**
 * A few requests that wait between their tries are no herd: without the retry budget, which would hold them back at a server that
 * fails half the time.
 */
const POLICY = definePolicy({ budget: null }, backgroundPolicy());

type Outcome = { readonly vectors: readonly (readonly number[])[] } | { readonly failure: Failure };

async function embedBatch(input: EmbedLinesInput, batch: readonly EmbedInput[]): Promise<Outcome> {
  const { provider, model, credentials, health, ports, signal } = input;
  let failure: Failure | undefined;
  const on = (event: GenerationEvent): void => {
    if (event.type === "wait-start") input.onWait(event);
    if (event.type === "generation-end") failure = event.failure;
  };
  try {
    const texts = batch.map(({ text }) => text);
    const options = { credentials, health, ports, signal, on, policy: POLICY };
    return { vectors: await embedTexts(provider, { model, texts }, options) };
  } catch (thrown) {
    // What is thrown without a failure is a fault of our own.
    if (failure === undefined && !signal.aborted) throw thrown;
    return failure === undefined ? { vectors: [] } : { failure };
  }
}

function describe(failure: Failure): object {
  const { kind, status } = failure;
  const error = `${sayFailure(failure)}: ${sayMessage(failure.message)}`;
  return { error, kind, ...(status !== undefined && { status }) };
}
