import { type BreakerState, CLOSED } from "./breaker.ts";
import { isWell, newProviderHealth, type ProviderHealth } from "./provider-health.ts";

/** The providers that something is known against. Most of the time there is none: the map is made with the first. */
export class ProviderTable {
  #known: Map<string, ProviderHealth> | undefined = undefined;
  /** Breakers that are not closed. */
  #shut = 0;

  get isEmpty(): boolean {
    return this.#known === undefined || this.#known.size === 0;
  }

  get areClosed(): boolean {
    return this.#shut === 0;
  }

  get all(): ReadonlyMap<string, Readonly<ProviderHealth>> {
    return this.#known ?? NONE;
  }

  get(name: string): ProviderHealth | undefined {
    return this.#known?.get(name);
  }

  getOrAdd(name: string): ProviderHealth {
    this.#known ??= new Map();
    let provider = this.#known.get(name);
    if (provider === undefined) {
      provider = newProviderHealth();
      this.#known.set(name, provider);
    }
    return provider;
  }

  breakerOf(name: string): BreakerState {
    return this.#known?.get(name)?.breaker ?? CLOSED;
  }

  turn(provider: ProviderHealth, next: BreakerState): void {
    const wasShut = provider.breaker.phase !== "closed";
    const isShut = next.phase !== "closed";
    if (isShut !== wasShut) this.#shut += isShut ? 1 : -1;
    provider.breaker = next;
  }

  /** As good as new: forgotten, so that calls need not ask again. */
  forgetIfWell(name: string, provider: ProviderHealth): void {
    if (isWell(provider)) this.#known?.delete(name);
  }
}

const NONE: ReadonlyMap<string, ProviderHealth> = new Map();
