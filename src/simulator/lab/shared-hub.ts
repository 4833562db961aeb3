import { type HealthLink, LEASE_MS, MemoryHealth, type Target } from "../../kernel/index.ts";
import { SharedHealth } from "../../kernel/shared/shared-health.ts";
import { drawExponential, type Random, type VirtualWorld } from "../world/index.ts";

/** One way to the hub or back takes at least this long, and on average this much longer. */
const LEAST_MS = 1;
const MEAN_MORE_MS = 1;

interface Lease {
  readonly stamp: number;
  readonly untilMs: number;
}

/**
 * What Redis is to real processes, in virtual time: messages reach everyone in one order, and of all who ask for a lease one gets it.
 * Every way takes a little time.
 */
export class SharedHub {
  readonly #world: VirtualWorld;
  readonly #random: Random;
  readonly #members: SharedHealth[] = [];
  readonly #leases = new Map<string, Lease>();
  #lastMs = 0;
  /** Messages so far. */
  messages = 0;

  constructor(world: VirtualWorld, random: Random) {
    this.#world = world;
    this.#random = random;
  }

  /** The health of one more process. */
  newHealth(): SharedHealth {
    const id = `p${this.#members.length}`;
    const now = (): number => this.#world.nowMs;
    const names = { id, nameOf: (target: Target) => target };
    const health = new SharedHealth({ health: new MemoryHealth(), ...names, now, phase: this.#random() });
    this.#members.push(health);
    health.exchange.join(this.#linkOf(health), 0, []);
    this.#tick(health);
    return health;
  }

  #linkOf(health: SharedHealth): HealthLink {
    return {
      wake: (withinMs) => void this.#world.after(withinMs, () => this.#speak(health)),
      claim: ({ provider, stamp }, answer) => {
        this.#onWay(() => {
          const isGranted = this.#grant(provider, stamp);
          this.#onWay(() => answer(isGranted));
        });
      },
    };
  }

  /** The same rule as that of the script in Redis. */
  #grant(provider: string, stamp: number): boolean {
    const { nowMs } = this.#world;
    const known = this.#leases.get(provider);
    if (known !== undefined && known.untilMs > nowMs && known.stamp >= stamp) return false;
    this.#leases.set(provider, { stamp, untilMs: nowMs + LEASE_MS });
    return true;
  }

  #tick(health: SharedHealth): void {
    const { usualMs } = health.exchange.pace;
    this.#world.after(usualMs * (0.5 + this.#random()), () => {
      this.#speak(health);
      this.#tick(health);
    });
  }

  #speak(health: SharedHealth): void {
    const said = health.exchange.announce();
    if (said === undefined) return;
    this.messages++;
    this.#onWay(() => {
      const message = health.exchange.read(said.text);
      for (const member of this.#members) if (message !== undefined) member.exchange.hear(message);
    });
  }

  /** What sets out later arrives later. */
  #onWay(arrive: () => void): void {
    const atMs = this.#world.nowMs + 2 * LEAST_MS + drawExponential(this.#random, MEAN_MORE_MS);
    this.#lastMs = Math.max(this.#lastMs, atMs);
    this.#world.after(this.#lastMs - this.#world.nowMs, arrive);
  }
}
