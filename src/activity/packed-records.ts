import type { Target } from "../kernel/index.ts";
import type { GenerationFacts } from "./activity.ts";
import type { Plain } from "./plain-record.ts";

/** Times in a row of numbers: start, first content, end of the attempt, end. */
const TIMES = 4;

/**
 * Plain generations, by the place that they have in the window. Ten thousand records are a hundred thousand objects that live long
 * enough to be copied and marked by the garbage collector, and then die: that cost more than to write them down. Numbers in a row and
 * names that many share cost it nothing.
 */
export class PackedRecords {
  readonly #limit: number;
  #times: Float64Array | undefined = undefined;
  readonly #ids: string[] = [];
  readonly #facts: GenerationFacts[] = [];
  readonly #targets: Target[] = [];
  readonly #orders: number[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  put(place: number, order: number, facts: GenerationFacts, plain: Plain): void {
    this.#times ??= new Float64Array(TIMES * this.#limit);
    const times = this.#times;
    const at = TIMES * place;
    times[at] = plain.startedAt;
    times[at + 1] = plain.contentAt ?? Number.NaN;
    times[at + 2] = plain.answeredAt;
    times[at + 3] = plain.endedAt;
    this.#ids[place] = plain.id;
    this.#facts[place] = facts;
    this.#targets[place] = plain.target;
    this.#orders[place] = order;
  }

  idAt(place: number): string {
    return this.#ids[place] as string;
  }

  orderAt(place: number): number {
    return this.#orders[place] as number;
  }

  factsAt(place: number): GenerationFacts {
    return this.#facts[place] as GenerationFacts;
  }

  at(place: number): Plain {
    const [startedAt = 0, contentAt = 0, answeredAt = 0, endedAt = 0] =
      this.#times?.subarray(TIMES * place, TIMES * (place + 1)) ?? [];
    return {
      id: this.idAt(place),
      target: this.#targets[place] as Target,
      startedAt,
      contentAt: Number.isNaN(contentAt) ? undefined : contentAt,
      answeredAt,
      endedAt,
    };
  }
}
