type Node = Readonly<Record<string, unknown>>;

/** What can be read of an object whose getters or traps throw: a copy made key by key. */
export function copyReadable(hostile: Node, keys: Iterable<string>): Node {
  const copy: Record<string, unknown> = {};
  for (const key of [...keys, "@type"]) {
    try {
      copy[key] = hostile[key];
    } catch {
      // This one stays unread.
    }
  }
  return copy;
}
