import { advance, type Counts, countOf, firstNews, MOST_REPLAYED, underWayOf } from "./counts.ts";
import { nameKey, type SharedName, type TargetCounts } from "./message.ts";

interface Peer {
  heardMs: number;
  readonly targets: Map<string, { readonly target: SharedName; counts: Counts }>;
}

export interface News {
  readonly target: SharedName;
  /** As in the message. */
  readonly stamp: number;
  readonly news: Counts;
}

/** With more calls than this to a target that it was not heard of, a process that is known has only now been heard of it. */
const FRESH = 64;

/** The other processes, and how far their calls are known. */
export class Peers {
  readonly #peers = new Map<string, Peer>();

  get size(): number {
    return this.#peers.size;
  }

  /** Returns what is new. */
  hear(from: string, targets: readonly TargetCounts[], nowMs: number): readonly News[] {
    const peer = this.#peers.get(from) ?? { heardMs: nowMs, targets: new Map() };
    const isNew = !this.#peers.has(from);
    this.#peers.set(from, peer);
    peer.heardMs = nowMs;
    return targets.map(({ target, stamp, counts: heard }) => {
      const key = nameKey(target);
      const known = peer.targets.get(key);
      const isHistory = isNew || countOf(heard, "started") > FRESH;
      const { counts, news } =
        known !== undefined
          ? advance(known.counts, heard)
          : { counts: heard, news: isHistory ? firstNews(heard) : heard };
      if (known !== undefined) known.counts = counts;
      else peer.targets.set(key, { target, counts });
      return { target, stamp, news };
    });
  }

  /** The calls that all of them have under way at a provider, as far as they are replayed. */
  underWayAt(provider: string): number {
    const targets = [...this.#peers.values()].flatMap((peer) => [...peer.targets.values()]);
    const underWay = targets.reduce(
      (sum, { target, counts }) => sum + (target.provider === provider ? underWayOf(counts) : 0),
      0,
    );
    return Math.min(underWay, MOST_REPLAYED);
  }

  /** Forgets those who have been silent since then. Returns the calls that they had under way. */
  forget(silentSinceMs: number): readonly { readonly target: SharedName; readonly underWay: number }[] {
    const lost = [...this.#peers].filter(([, { heardMs }]) => heardMs <= silentSinceMs);
    for (const [from] of lost) this.#peers.delete(from);
    return lost.flatMap(([, { targets }]) =>
      Array.from(targets.values(), ({ target, counts }) => ({ target, underWay: underWayOf(counts) })),
    );
  }
}
