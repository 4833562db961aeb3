/** The hook of Rolldown that is used here. */
interface ResolvePlugin {
  readonly name: string;
  resolveId(source: string, importer: string | undefined): { readonly id: string; readonly external: true } | null;
}

/** Leaves the types of a package where they are: a caller who passes values of these types has the package. Its code is bundled. */
export function leaveTypes(...names: readonly string[]): ResolvePlugin {
  return {
    name: "leave-types",
    resolveId(source, importer) {
      const isLeft = names.includes(source) && importer !== undefined && /\.d\.ts$/.test(importer);
      return isLeft ? { id: source, external: true } : null;
    },
  };
}
