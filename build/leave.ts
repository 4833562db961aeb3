/** The hook of Rolldown that is used here. */
interface ResolvePlugin {
  readonly name: string;
  resolveId(source: string): { readonly id: string; readonly external: true } | null;
}

/** Leaves imports out of the bundle: they are built elsewhere, and found there under another name. */
export function leave(names: Readonly<Record<string, string>>): ResolvePlugin {
  return {
    name: "leave",
    resolveId(source) {
      const id = names[source];
      return id === undefined ? null : { id, external: true };
    },
  };
}
