import type { Target } from "../model/target.ts";
import { newCounts } from "./counts.ts";
import { nameKey, type SharedName } from "./message.ts";

/** A target that this process calls. */
export interface Known {
  readonly target: Target;
  readonly name: SharedName;
  readonly counts: number[];
  hasNews: boolean;
}

/** A provider that this process calls. */
export interface SharedProvider {
  readonly name: string;
  /** When its breaker changed last, by the shared clock; 0: never. */
  stamp: number;
  /** Its breaker has changed and no other process knows. */
  isTurned: boolean;
  /** Answers here, and in all processes. */
  own: number;
  all: number;
}

/** With more targets than this, those that come later are counted together: their names may be anything that a client sends. */
const MOST_TARGETS = 1000;
const OTHERS = "*";

const NEW = { stamp: 0, isTurned: false, own: 0, all: 0 } as const;

/** What this process calls, by its own names and by those that all processes share. */
export class Directory {
  readonly #nameOf: (target: Target) => SharedName;
  readonly #known = new Map<string, Known>();
  readonly #byName = new Map<string, Known>();
  readonly #providers = new Map<string, SharedProvider>();
  readonly #localNames = new Map<string, string>();

  constructor(nameOf: (target: Target) => SharedName) {
    this.#nameOf = nameOf;
  }

  get known(): Iterable<Known> {
    return this.#known.values();
  }

  get providers(): Iterable<[string, SharedProvider]> {
    return this.#providers;
  }

  nameOf(target: Target): SharedName {
    return this.#known.get(nameKey(target))?.name ?? this.#nameOf(target);
  }

  get(target: Target): Known | undefined {
    return this.#known.get(nameKey(target));
  }

  /** A target that is called for the first time. */
  add(target: Target): Known {
    const name = this.#nameOf(target);
    if (!this.#providers.has(target.provider)) {
      this.#providers.set(target.provider, { ...NEW, name: name.provider });
      this.#localNames.set(name.provider, target.provider);
    }
    if (this.#known.size >= MOST_TARGETS) return this.#others(target, name);
    return this.#keep({ target, name, counts: newCounts(), hasNews: false });
  }

  provider(local: string): SharedProvider | undefined {
    return this.#providers.get(local);
  }

  /** Undefined: this process does not call it. */
  localProvider(shared: string): string | undefined {
    return this.#localNames.get(shared);
  }

  byName(name: SharedName): Target | undefined {
    return this.#byName.get(nameKey(name))?.target;
  }

  #others({ provider }: Target, name: SharedName): Known {
    const target = { provider, model: OTHERS, credential: OTHERS };
    const known = this.#known.get(nameKey(target));
    const others = { provider: name.provider, model: OTHERS, credential: OTHERS };
    return known ?? this.#keep({ target, name: others, counts: newCounts(), hasNews: false });
  }

  #keep(known: Known): Known {
    this.#known.set(nameKey(known.target), known);
    this.#byName.set(nameKey(known.name), known);
    return known;
  }
}
