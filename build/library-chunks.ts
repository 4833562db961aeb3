/**
 * Which file of the package a module of the library goes to. A bundler drops whole files of a package that nothing is imported
 * from, but keeps most of a file that it needs a part of: so `schedule`, `definePolicy` and `classify` have files apart from the
 * engine. One file per module would do the same, and take Node ten times as many files to load.
 */
export function libraryChunk(moduleId: string): string | null {
  // Not `….d.ts`: the types are built along with the code.
  const path = /\/src\/((?:kernel|presets|system)\/[^.]+)\.ts$/.exec(moduleId)?.[1];
  if (path === undefined || path === "kernel/index") return null;
  return CHUNKS.find(([pattern]) => pattern.test(path))?.[1] ?? null;
}

const CHUNKS: readonly (readonly [RegExp, string])[] = [
  [/^kernel\/(?:model\/|attempt\/tool-arguments|finish\/receipt-headers)/, "model"],
  [/^kernel\/decide\/schedule/, "schedule"],
  [/^kernel\/decide\/(?:base-policy|check-content-rules|define-policy|prepare-policy|scan-pattern)/, "policy"],
  [/^kernel\/classify\//, "classify"],
  // Only for processes that share their health.
  [/^kernel\/shared\//, "shared"],
  [/^kernel\//, "engine"],
  [/^presets\//, "presets"],
  // What a pattern needs is loaded when there is one.
  [/^system\/(?!guarded-pattern\/)/, "system"],
];
