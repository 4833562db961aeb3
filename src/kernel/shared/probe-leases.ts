import { PROBE_ASK_MS, spreadMs } from "../health/spread.ts";

/** How long a granted lease may wait for its call. It must be heard everywhere by then that the probe is out. */
export const LEASE_MS = 1000;
/** How soon the one who asked for the lease asks again: the answer takes a round trip. */
const ROUND_TRIP_MS = 15;
/** An answer that takes longer will not come in time. Each process probes for itself then, as without the others. */
const PATIENCE_MS = 250;
/** After a refusal: the probe's fate is announced, so this is only for one that is lost. */
const REFUSED_MS = 500;

interface Claim {
  /** The state of the breaker that is to be probed. */
  readonly stamp: number;
  readonly sentMs: number;
  answer: "pending" | "granted" | "refused";
}

/** One probe over all processes: only the one that holds the lease for this state of the breaker lets a call through. */
export class ProbeLeases {
  readonly #claims = new Map<string, Claim>();
  #turnedAway = 0;

  /** 0: the probe may go. Otherwise when to ask again; `claim` is called if the lease has to be asked for. */
  ask(provider: string, stamp: number, nowMs: number, claim: () => void): number {
    const known = this.#claims.get(provider);
    if (known === undefined || isOver(known, stamp, nowMs)) {
      this.#claims.set(provider, { stamp, sentMs: nowMs, answer: "pending" });
      claim();
      return ROUND_TRIP_MS;
    }
    return this.blockedForMs(provider, stamp, nowMs) === 0 ? 0 : PROBE_ASK_MS / 4 + spreadMs(this.#turnedAway++);
  }

  blockedForMs(provider: string, stamp: number, nowMs: number): number {
    const claim = this.#claims.get(provider);
    if (claim === undefined || isOver(claim, stamp, nowMs) || claim.answer === "refused") return ROUND_TRIP_MS;
    if (claim.answer === "granted") return 0;
    return nowMs - claim.sentMs < PATIENCE_MS ? ROUND_TRIP_MS : 0;
  }

  answer(provider: string, stamp: number, isGranted: boolean): void {
    const claim = this.#claims.get(provider);
    if (claim?.stamp === stamp) claim.answer = isGranted ? "granted" : "refused";
  }

  clear(): void {
    this.#claims.clear();
  }
}

/** Half of the lease is left to the way that news of the probe takes. */
function isOver({ stamp, sentMs, answer }: Claim, askedFor: number, nowMs: number): boolean {
  if (stamp !== askedFor) return true;
  return nowMs - sentMs >= { pending: LEASE_MS, granted: LEASE_MS / 2, refused: REFUSED_MS }[answer];
}
