import type { StopReason } from "../kernel/index.ts";

/** How long a request that comes back unchanged counts as the same one: the retries of a layer above come within seconds. */
const REMEMBERED_MS = 30_000;
/** A retry that says it is one. */
const SAID_MS = 600_000;
const MOST = 1000;

/** After these a layer above that sends the request again would only start over. */
const GIVEN_UP: ReadonlySet<unknown> = new Set<StopReason>([
  "retries-exhausted",
  "patience",
  "hopeless",
  "retry-budget",
  "delay-cap",
  "given-up-below",
  "gave-up",
]);

export function isGivenUp(reason: StopReason | undefined): boolean {
  return GIVEN_UP.has(reason);
}

/**
 * The requests that were given up lately. A layer above that sends one again (an SDK's own retries, LangChain's) gets one attempt
 * instead of a new chain of retries, so that retries do not multiply (B3).
 */
export class GivenUp<T = true> {
  private readonly ended = new Map<string, { readonly atMs: number; readonly with: T }>();

  get isEmpty(): boolean {
    return this.ended.size === 0;
  }

  /** `ending`: what the request ended with, to be found again. */
  add(request: string, nowMs: number, ending: T): void {
    if (this.ended.size >= MOST) this.ended.clear();
    this.ended.set(fingerprint(request), { atMs: nowMs, with: ending });
  }

  /** What the same request ended with a moment ago; undefined: it is a new one. */
  find(request: string, nowMs: number, isSaidToBeRetry: boolean): T | undefined {
    const ended = this.ended.get(fingerprint(request));
    if (ended === undefined) return undefined;
    return nowMs - ended.atMs < (isSaidToBeRetry ? SAID_MS : REMEMBERED_MS) ? ended.with : undefined;
  }

  forget(request: string): void {
    // Nothing is computed while all is well.
    if (!this.isEmpty) this.ended.delete(fingerprint(request));
  }
}

/** Two 32-bit hashes and the length: prompts of megabytes are not kept. */
function fingerprint(text: string): string {
  let one = 0x811c9dc5;
  let other = 0x1505;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 0x01000193);
    other = (Math.imul(other, 33) + code) | 0;
  }
  return `${text.length}:${one >>> 0}:${other >>> 0}`;
}
