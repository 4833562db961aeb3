import { definePolicy, InvalidInput, type Policy, type PolicyInput } from "../src/kernel/index.ts";

/** Values to try for one figure of a policy, by its path. */
export interface Axis {
  readonly path: string;
  readonly values: readonly (number | null)[];
}

/** What `npm run tune` varies, one figure at a time to both sides of `default`, unless `--set` names others. */
export const GRID: readonly Axis[] = [
  { path: "schedules.general.baseMs", values: [250, 500, 1000, 2000] },
  { path: "schedules.general.capMs", values: [6000, 12_000, 30_000, 60_000] },
  { path: "breaker.failures", values: [3, 5, 10, 20] },
  { path: "breaker.leastShare", values: [0.1, 0.25, 0.5, 0.7] },
  { path: "breaker.cooldownMs", values: [500, 1000, 2000, 4000] },
  { path: "breaker.maxCooldownMs", values: [2000, 4000, 8000, 16_000] },
  { path: "breaker.rampMs", values: [10_000, 20_000, 30_000, 60_000] },
  { path: "budget.capacity", values: [10, 50, 100, 500] },
  { path: "budget.capacitySeconds", values: [1, 5, 10, 30] },
  { path: "budget.refillPerSuccess", values: [0.1, 0.5, 1, 2] },
  { path: "budget.refillPerSecond", values: [0.1, 0.5, 1, 2] },
];

/** A policy to try: what differs from `default`. */
export interface Candidate {
  readonly name: string;
  readonly changes: PolicyInput;
}

const UNCHANGED: Candidate = { name: "default", changes: {} };

/** `breaker.cooldownMs=1000,2000` as an axis. Throws `InvalidInput`. */
export function parseAxis(text: string): Axis {
  const [path = "", list = "", ...rest] = text.split("=");
  const values = list
    .split(",")
    .map((value) => (value === "null" ? null : value.trim() === "" ? Number.NaN : Number(value)));
  const isWrong = path === "" || rest.length > 0 || values.some((value) => value !== null && !Number.isFinite(value));
  if (isWrong) throw new InvalidInput("--set", text, "a path and numbers, as in breaker.cooldownMs=1000,2000");
  return { path, values };
}

/** Each axis alone, around the policy. Values that do not go with its other figures are left out. */
export function varyEach(axes: readonly Axis[], base: Policy): readonly Candidate[] {
  return withDefault(axes.flatMap(({ path, values }) => values.map((value) => candidateOf([[path, value]], base))));
}

/** All combinations, without those that no policy may have, such as a cooldown above its maximum. */
export function combineAll(axes: readonly Axis[], base: Policy): readonly Candidate[] {
  const all = axes.reduce<readonly (readonly Setting[])[]>(
    (settings, { path, values }) =>
      settings.flatMap((before) => values.map((value) => [...before, [path, value] as const])),
    [[]],
  );
  return withDefault(all.map((settings) => candidateOf(settings, base)));
}

type Setting = readonly [path: string, value: number | null];

function candidateOf(settings: readonly Setting[], base: Policy): Candidate | InvalidInput {
  const differing = settings.filter(([path, value]) => readPath(base, path) !== value);
  if (differing.length === 0) return UNCHANGED;
  let changed: object = base;
  for (const [path, value] of differing) changed = writePath(changed, path, path.split("."), value);
  const roots = new Set(differing.map(([path]) => path.split(".")[0]));
  const changes = Object.fromEntries(Object.entries(changed).filter(([key]) => roots.has(key))) as PolicyInput;
  try {
    definePolicy(changes, base);
  } catch (fault) {
    if (fault instanceof InvalidInput) return fault;
    throw fault;
  }
  return { name: differing.map(([path, value]) => `${path}=${value}`).join(" "), changes };
}

/** `default` first, everything once. Throws if nothing else is left. */
function withDefault(found: readonly (Candidate | InvalidInput)[]): readonly Candidate[] {
  const candidates = found.filter((each): each is Candidate => !(each instanceof InvalidInput));
  const fault = found.find((each) => each instanceof InvalidInput);
  if (fault !== undefined && candidates.length === 0) throw fault;
  return [...new Map([UNCHANGED, ...candidates].map((candidate) => [candidate.name, candidate])).values()];
}

function readPath(from: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((value, key) => (value as Record<string, unknown> | null)?.[key], from);
}

/** A copy with one value changed. A field that the policy does not have is a mistake, not a new field. */
function writePath(from: unknown, path: string, [key = "", ...rest]: readonly string[], value: number | null): object {
  if (typeof from !== "object" || from === null || !Object.hasOwn(from, key)) {
    throw new InvalidInput("--set", path, "a field of the default policy");
  }
  const fields = from as Record<string, unknown>;
  return { ...fields, [key]: rest.length === 0 ? value : writePath(fields[key], path, rest, value) };
}
