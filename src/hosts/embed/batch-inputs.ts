import type { NumberedLine } from "../../wire/split-lines.ts";
import { type BadLine, type EmbedInput, type InputId, isBad, parseInputLine } from "./parse-input-line.ts";

export interface BatchOptions {
  /** Most texts of a batch. */
  readonly size: number;
  /** Ids that are not to be embedded again. */
  readonly done: ReadonlySet<InputId>;
  readonly onBad: (line: BadLine) => void | Promise<void>;
  readonly onSkipped: () => void;
}

/** About 50,000 tokens: providers limit those of a request too. */
const MOST_CHARS = 200_000;
/** If the input pauses, the texts so far are not held back. */
const PAUSE_MS = 100;

/** Groups the texts of the lines. Reads no further than the batch that is asked for. */
export async function* batchInputs(
  chunks: AsyncIterable<readonly NumberedLine[]>,
  { size, done, onBad, onSkipped }: BatchOptions,
): AsyncGenerator<readonly EmbedInput[]> {
  const seen = new Set<InputId>();
  const source = chunks[Symbol.asyncIterator]();
  let batch: EmbedInput[] = [];
  let chars = 0;
  const take = (): readonly EmbedInput[] => {
    const taken = batch;
    batch = [];
    chars = 0;
    return taken;
  };
  for (let next = source.next(); ; ) {
    if (batch.length > 0 && (await isPausing(next))) yield take();
    const { value: lines, done: hasEnded } = await next;
    if (hasEnded === true) break;
    next = source.next();
    for (const line of lines) {
      if (line.text.trim() === "") continue;
      const parsed = parseInputLine(line);
      const input = isBad(parsed) || !seen.has(parsed.id) ? parsed : twice(line, parsed.id);
      seen.add(input.id);
      if (isBad(input)) await onBad(input);
      else if (done.has(input.id)) onSkipped();
      else {
        if (batch.length === size || (batch.length > 0 && chars + input.text.length > MOST_CHARS)) yield take();
        batch.push(input);
        chars += input.text.length;
      }
    }
  }
  if (batch.length > 0) yield take();
}

function twice({ number }: NumberedLine, id: InputId): BadLine {
  return { id, error: `line ${number}: this id was already used in an earlier line` };
}

async function isPausing(next: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const pause = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(true), PAUSE_MS);
  });
  const arrived = next.then(
    () => false,
    () => false,
  );
  const isPause = await Promise.race([arrived, pause]);
  clearTimeout(timer);
  return isPause;
}
