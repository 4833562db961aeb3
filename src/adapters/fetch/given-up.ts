/** How long a request that comes back unchanged counts as the same one: the retries of a layer above come within seconds. */
const REMEMBERED_MS = 30_000;
/** A retry that says it is one. */
const SAID_MS = 600_000;
const MOST = 1000;

/**
 * The requests that were given up lately. A layer above that sends one again (an SDK's own retries, LangChain's) gets one attempt
 * instead of a new chain of retries, so that retries do not multiply (B3).
 */
export class GivenUp {
  private readonly endedAt = new Map<string, number>();

  get isEmpty(): boolean {
    return this.endedAt.size === 0;
  }

  add(request: string, nowMs: number): void {
    if (this.endedAt.size >= MOST) this.endedAt.clear();
    this.endedAt.set(fingerprint(request), nowMs);
  }

  has(request: string, nowMs: number, isSaidToBeRetry: boolean): boolean {
    const endedAt = this.endedAt.get(fingerprint(request));
    return endedAt !== undefined && nowMs - endedAt < (isSaidToBeRetry ? SAID_MS : REMEMBERED_MS);
  }

  forget(request: string): void {
    // Nothing is computed while all is well.
    if (!this.isEmpty) this.endedAt.delete(fingerprint(request));
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
