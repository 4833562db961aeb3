const MOST_OWN_KEYS = 1000;

/** Names keys without showing them: the only one, as a rule, has no name. Different keys of one origin must not share a cooldown. */
export class OwnKeys {
  private readonly names = new Map<string, string>();

  nameOf(key: string): string {
    const known = this.names.get(key);
    if (known !== undefined) return known;
    if (this.names.size >= MOST_OWN_KEYS) this.names.clear();
    const name = this.names.size === 0 ? "" : `own ${this.names.size + 1}`;
    this.names.set(key, name);
    return name;
  }
}
