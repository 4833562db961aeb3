export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const [first] = parts;
  if (parts.length === 1 && first !== undefined) return first;
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const SCRATCH = new Uint8Array(32_768);

/** The same where the outcome is used up at once: most fit into one buffer, which the next call writes over. */
export function joinBriefly(parts: readonly Uint8Array[]): Uint8Array {
  let at = 0;
  for (const part of parts) {
    if (at + part.length > SCRATCH.length) return joinBytes(parts);
    SCRATCH.set(part, at);
    at += part.length;
  }
  return SCRATCH.subarray(0, at);
}
