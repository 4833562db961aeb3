import { COUNTED, type Counted, GAUGED, type Gauged, type Series } from "./tally.ts";

/** One series over many seeds: the mean of each second, and how far the seeds lie apart. */
export interface Band {
  readonly mean: readonly number[];
  readonly least: readonly number[];
  readonly most: readonly number[];
}

export type Bands = Readonly<Record<Counted | Gauged, Band>>;

interface Gathered {
  readonly sum: number[];
  readonly least: number[];
  readonly most: number[];
}

const NAMES = [...COUNTED, ...GAUGED];

/** Gathers the series of one run after another, so that none of them has to be kept. */
export class BandGatherer {
  readonly #gathered = new Map<Counted | Gauged, Gathered>();
  #runs = 0;

  get runs(): number {
    return this.#runs;
  }

  add(series: Series): void {
    this.#runs++;
    for (const name of NAMES) {
      const numbers = series[name];
      const known = this.#gathered.get(name);
      if (known === undefined) {
        this.#gathered.set(name, { sum: [...numbers], least: [...numbers], most: [...numbers] });
      } else {
        numbers.forEach((number, at) => {
          known.sum[at] = (known.sum[at] ?? 0) + number;
          known.least[at] = Math.min(known.least[at] ?? number, number);
          known.most[at] = Math.max(known.most[at] ?? number, number);
        });
      }
    }
  }

  /** Undefined: nothing was gathered yet. */
  bands(): Bands | undefined {
    if (this.#runs === 0) return undefined;
    const all = NAMES.map((name): [string, Band] => {
      const { sum, least, most } = this.#gathered.get(name) ?? { sum: [], least: [], most: [] };
      return [name, { mean: sum.map((total) => total / this.#runs), least, most }];
    });
    return Object.fromEntries(all) as Bands;
  }
}
