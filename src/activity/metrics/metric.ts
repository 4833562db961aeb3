/** A label has at most this many values; the rest is counted as `other`: a scraper stores one series for each, for ever. */
const MOST_VALUES = 100;
const OTHER = "other";

/** One label whose values stay bounded, as Prometheus writes it: `door="chat"`. Each text is made once. */
export class BoundedLabel {
  readonly #name: string;
  readonly #known = new Map<string, string>();

  constructor(name: string) {
    this.#name = name;
  }

  of(value: string): string {
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    if (this.#known.size >= MOST_VALUES) return this.#text(OTHER);
    const text = this.#text(value);
    this.#known.set(value, text);
    return text;
  }

  #text(value: string): string {
    return `${this.#name}="${escapeLabel(value)}"`;
  }
}

/** A second label beside another, each text made once. Its values are few: the caller sees to that. */
export class SecondLabel {
  readonly #name: string;
  readonly #known = new Map<string, Map<string, string>>();

  constructor(name: string) {
    this.#name = name;
  }

  of(first: string, value: string): string {
    let texts = this.#known.get(first);
    if (texts === undefined) {
      texts = new Map();
      this.#known.set(first, texts);
    }
    const known = texts.get(value);
    if (known !== undefined) return known;
    const text = `${first},${this.#name}="${escapeLabel(value)}"`;
    texts.set(value, text);
    return text;
  }
}

/** Counts by labels, in their text form. */
export class Counter {
  readonly #counts = new Map<string, { count: number }>();

  add(labels: string, by = 1): void {
    const known = this.#counts.get(labels);
    if (known === undefined) this.#counts.set(labels, { count: by });
    else known.count += by;
  }

  lines(name: string): readonly string[] {
    return Array.from(this.#counts, ([labels, { count }]) => `${name}{${labels}} ${count}`);
  }
}

interface Series {
  /** Not cumulative; the last one has the rest. */
  readonly counts: number[];
  sum: number;
}

/** How long something took, in seconds, by labels. */
export class Histogram {
  readonly #limits: readonly number[];
  readonly #series = new Map<string, Series>();

  constructor(limits: readonly number[]) {
    this.#limits = limits;
  }

  observe(labels: string, seconds: number): void {
    let series = this.#series.get(labels);
    if (series === undefined) {
      series = { counts: Array.from({ length: this.#limits.length + 1 }, () => 0), sum: 0 };
      this.#series.set(labels, series);
    }
    const place = this.#limits.findIndex((limit) => seconds <= limit);
    const bucket = place < 0 ? this.#limits.length : place;
    series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
    series.sum += seconds;
  }

  lines(name: string): readonly string[] {
    return [...this.#series].flatMap(([labels, { counts, sum }]) => {
      let total = 0;
      const buckets = counts.map((count, place) => {
        total += count;
        return `${name}_bucket{${labels},le="${this.#limits[place] ?? "+Inf"}"} ${total}`;
      });
      return [...buckets, `${name}_sum{${labels}} ${sum}`, `${name}_count{${labels}} ${total}`];
    });
  }
}

/** One metric with its description. Nothing for one without values. */
export function metricText(
  name: string,
  type: "counter" | "gauge" | "histogram",
  help: string,
  lines: readonly string[],
): string {
  if (lines.length === 0) return "";
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("\n")}\n`;
}

function escapeLabel(value: string): string {
  return value.replace(/[\\"\n]/g, (character) => (character === "\n" ? "\\n" : `\\${character}`));
}
