import type { StopReason } from "../kernel/index.ts";

/** How long a request that comes back unchanged counts as the same one: the first retry of a layer above comes within seconds. */
const REMEMBERED_MS = 30_000;
/** Each further one takes about twice as long as the one before, in agents up to 40 s. */
const LONGER = 3;
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

/** After these nothing was retried here by choice: the layer above does that. */
export function isLeftAbove(reason: StopReason | undefined): boolean {
  return reason === "disabled" || reason === "filtered";
}

interface Ended<T> {
  /** When it ended, or came back last. */
  atMs: number;
  forMs: number;
  readonly with: T;
}

/**
 * The requests that were given up lately. A layer above that sends one again (an SDK's own retries, LangChain's) gets one attempt
 * instead of a new chain of retries, so that retries do not multiply (B3).
 */
export class GivenUp<T = true> {
  private readonly ended = new Map<string, Ended<T>>();

  get isEmpty(): boolean {
    return this.ended.size === 0;
  }

  /** `ending`: what the request ended with, to be found again. */
  add(request: string, nowMs: number, ending: T): void {
    if (this.ended.size >= MOST) this.ended.clear();
    const id = fingerprint(request);
    this.ended.set(id, { atMs: nowMs, forMs: this.ended.get(id)?.forMs ?? REMEMBERED_MS, with: ending });
  }

  /** What the same request ended with a moment ago; undefined: it is a new one. Call it when a request comes back. */
  find(request: string, nowMs: number, isSaidToBeRetry: boolean): T | undefined {
    const id = fingerprint(request);
    const ended = this.ended.get(id);
    if (ended === undefined) return undefined;
    const sinceMs = nowMs - ended.atMs;
    if (sinceMs >= (isSaidToBeRetry ? SAID_MS : ended.forMs)) {
      this.ended.delete(id);
      return undefined;
    }
    ended.atMs = nowMs;
    ended.forMs = Math.min(SAID_MS, Math.max(ended.forMs, LONGER * sinceMs));
    return ended.with;
  }

  forget(request: string): void {
    // Nothing is computed while all is well.
    if (!this.isEmpty) this.ended.delete(fingerprint(request));
  }
}

const FIRST = 0x811c9dc5;
const OTHER = 0x1505;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Two 32-bit hashes and the length: prompts of megabytes are not kept. Codex sends the members of an object in another order each
 * time. So the hashes of the parts between commas and brackets are added up, and their order does not matter.
 */
function fingerprint(text: string): string {
  let one = FIRST;
  let other = OTHER;
  let ones = 0;
  let others = 0;
  let isInString = false;
  let isEscaped = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (!isInString && isBorder(code)) {
      ones += mixed(one);
      others += mixed(other);
      one = FIRST;
      other = OTHER;
    } else {
      one = Math.imul(one ^ code, 0x01000193);
      other = (Math.imul(other, 33) + code) | 0;
    }
    if (isEscaped) isEscaped = false;
    else if (code === QUOTE) isInString = !isInString;
    else isEscaped = code === BACKSLASH && isInString;
  }
  return `${text.length}:${(ones + mixed(one)) % 2 ** 32}:${(others + mixed(other)) % 2 ** 32}`;
}

/** A comma, or a bracket of either kind. */
function isBorder(code: number): boolean {
  return code === 0x2c || code === 0x7b || code === 0x7d || code === 0x5b || code === 0x5d;
}

/** Without this, sums would be the same for many texts. */
function mixed(hash: number): number {
  const half = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return Math.imul(half ^ (half >>> 13), 0xc2b2ae35) >>> 0;
}
