import { COUNTED, type Counted, GAUGED, type Gauged, type Series } from "./tally.ts";

/** One series over many seeds: mean, least and most of each second. */
export interface Band {
  readonly mean: readonly number[];
  readonly least: readonly number[];
  readonly most: readonly number[];
}

export type Bands = Readonly<Record<Counted | Gauged, Band>>;

const NAMES = [...COUNTED, ...GAUGED];

/** Adds up one run after another, so that no run has to stay in memory. */
export class BandGatherer {
  readonly #gathered = new Map<Counted | Gauged, Readonly<Record<"sum" | "least" | "most", number[]>>>();
  #runs = 0;

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

  /** Undefined before the first run. */
  bands(): Bands | undefined {
    if (this.#runs === 0) return undefined;
    const all = NAMES.map((name): [string, Band] => {
      const { sum, least, most } = this.#gathered.get(name) ?? { sum: [], least: [], most: [] };
      // Copies: the next run adds to these.
      return [name, { mean: sum.map((total) => total / this.#runs), least: [...least], most: [...most] }];
    });
    return Object.fromEntries(all) as Bands;
  }
}
