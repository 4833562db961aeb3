import type { FailureKind, Policy } from "../../../../kernel/index.ts";

type Leaf = string | number | boolean | null | undefined;

/** Distributes over unions, so that every variant of a schedule or rule counts; `*` stands for a name, kind or status. */
type LeafPath<T> = T extends Leaf
  ? ""
  : T extends readonly (infer Item)[]
    ? `[]${LeafPath<Item>}`
    : string extends keyof T
      ? `.*${LeafPath<T[keyof T]>}`
      : number extends keyof T
        ? `.*${LeafPath<T[keyof T]>}`
        : FailureKind extends keyof T
          ? `.*${LeafPath<T[FailureKind & keyof T]>}`
          : { [Key in keyof T & string]-?: `.${Key}${LeafPath<T[Key]>}` }[keyof T & string];

type WithoutDot<Path> = Path extends `.${infer Rest}` ? Rest : never;

/**
 * Every field of a policy, as the compiler finds them: a table with these keys can't lack one. What may be null has an entry of its own
 * (`breaker`) besides those of its fields.
 */
export type PolicyPath = WithoutDot<LeafPath<Policy>>;

export type PathPart = string | number;

/** The parts of a path: `classify[0].when.text` is `["classify", 0, "when", "text"]`. The name of a schedule may have dots in it. */
export function partsOf(path: string): readonly PathPart[] {
  const named = /^(schedules|rules|statuses)\.(.+)\.([^.[]+(?:\[\d+\])?)$/.exec(path);
  const words = named === null ? path.split(".") : named.slice(1);
  return words.flatMap((word) => {
    const indexes = /^(.*?)((?:\[\d+\])+)$/.exec(word);
    if (indexes === null) return [word];
    return [indexes[1] ?? "", ...[...(indexes[2] ?? "").matchAll(/\d+/g)].map(([digits]) => Number(digits))];
  });
}

/** The entry of the field table for a field: `schedules.general.stepsMs[2]` is `schedules.*.stepsMs[]`. */
export function genericPath(path: string): string {
  const parts = partsOf(path);
  const hasNames = ["schedules", "rules", "statuses"].includes(String(parts[0]));
  return parts
    .map((part, at) => (typeof part === "number" ? "[]" : hasNames && at === 1 ? "*" : part))
    .join(".")
    .replaceAll(".[]", "[]");
}

/** What stands at a path; undefined: nothing does. */
export function valueAt(tree: unknown, path: string): unknown {
  let value = tree;
  for (const part of partsOf(path)) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<PathPart, unknown>)[part];
  }
  return value;
}

/** A copy of the tree with another value at the path; undefined takes it away. Objects on the way that are missing are made. */
export function withValueAt<T>(tree: T, path: string, value: unknown): T {
  return replace(tree, partsOf(path), value) as T;
}

function replace(tree: unknown, [part, ...rest]: readonly PathPart[], value: unknown): unknown {
  if (part === undefined) return value;
  if (Array.isArray(tree)) {
    const copy = [...tree];
    const inner = replace(copy[Number(part)], rest, value);
    if (inner === undefined) copy.splice(Number(part), 1);
    else copy[Number(part)] = inner;
    return copy;
  }
  const { [part]: old, ...others } = (typeof tree === "object" && tree !== null ? tree : {}) as Record<
    PathPart,
    unknown
  >;
  const inner = replace(old, rest, value);
  if (inner === undefined) return others;
  // In its place, so that a list of rules keeps its order.
  return typeof tree === "object" && tree !== null && part in tree
    ? { ...tree, [part]: inner }
    : { ...others, [part]: inner };
}
