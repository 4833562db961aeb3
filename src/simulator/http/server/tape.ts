import type { Performance, Step } from "../wire/reply.ts";

/** What went out for one request, as text. Bounded: a fault may send for ever. */
export class Tape {
  readonly #parts: Buffer[] = [];
  #length = 0;

  readonly add = (bytes: Buffer): void => {
    if (this.#length >= MOST_BYTES) return;
    this.#parts.push(bytes);
    this.#length += bytes.length;
  };

  get text(): string {
    return Buffer.concat(this.#parts).toString("utf8");
  }
}

const MOST_BYTES = 1024 * 1024;

/** The same performance, written down as it is played: the body of a reply, whatever goes over the wire below HTTP. */
export function recorded(performance: Performance, tape: Tape): Performance {
  if (performance.type === "reply") return { ...performance, reply: { ...performance.reply, onSent: tape.add } };
  return { ...performance, steps: recordedSteps(performance.steps, tape) };
}

function* recordedSteps(steps: Iterable<Step>, tape: Tape): Generator<Step> {
  for (const step of steps) {
    if (step.do === "send") tape.add(step.bytes);
    yield step;
  }
}
