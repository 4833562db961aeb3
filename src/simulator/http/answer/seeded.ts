/** FNV-1a over the parts: the same parts give the same number on every machine. */
export function hashOf(...parts: readonly (string | number)[]): number {
  let hash = 0x811c9dc5;
  for (const char of parts.join("\u0000")) {
    hash ^= char.codePointAt(0) ?? 0;
    hash = Math.imul(hash, 0x01000193);
  }
  return hash >>> 0;
}

/** Mulberry32: small, fast, and good enough to choose words and weather. Returns numbers in [0, 1). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** 16 hexadecimal digits, for ids that look like a provider's. */
export function seededId(...parts: readonly (string | number)[]): string {
  const half = (salt: string): string =>
    hashOf(salt, ...parts)
      .toString(16)
      .padStart(8, "0");
  return half("a") + half("b");
}
