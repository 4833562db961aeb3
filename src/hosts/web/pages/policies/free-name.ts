const LONGEST = 64;

/** A name that is not taken: the wanted one, or with a number behind it. */
export function freeName(wanted: string, taken: readonly string[]): string {
  const clean = wanted
    .replace(/[^\w .-]/g, "-")
    .trim()
    .slice(0, LONGEST);
  const base = clean === "" ? "policy" : clean;
  if (!taken.includes(base)) return base;
  for (let n = 2; ; n++) {
    const name = `${base.slice(0, LONGEST - String(n).length - 1)} ${n}`;
    if (!taken.includes(name)) return name;
  }
}

/** Why a name can't be used; undefined: it can. */
export function whyNotName(name: string, taken: readonly string[]): "characters" | "taken" | undefined {
  if (!/^[\w .-]{1,64}$/.test(name) || name.trim() !== name) return "characters";
  return taken.includes(name) ? "taken" : undefined;
}
