import { definePolicy, InvalidInput, type Policy, type PolicyInput } from "../../../../kernel/index.ts";

/** A policy in a file, as `exportPolicies` writes it. */
export interface StoredPolicy {
  readonly name: string;
  readonly from?: string;
  readonly policy: Policy;
}

export interface ImportProblem {
  /** The policy's name, or its number in the file. */
  readonly where: string;
  readonly what: "not-json" | "no-policies" | "bad-name" | "invalid" | "same-name";
  /** The engine's words for `invalid`, in English; else the value. */
  readonly detail: string;
}

export interface Imported {
  readonly policies: readonly StoredPolicy[];
  readonly problems: readonly ImportProblem[];
}

const FORMAT = "secondwind-policies";
/** As the server's own check. */
const NAME = /^[\w .-]{1,64}$/;

/** One or more policies as a file. */
export function exportPolicies(policies: readonly StoredPolicy[]): string {
  const plain = policies.map(({ name, from, policy }) => ({ name, ...(from !== undefined && { from }), policy }));
  return `${JSON.stringify({ format: FORMAT, version: 1, policies: plain }, null, 2)}\n`;
}

/**
 * Reads a file: what `exportPolicies` writes, or one policy alone, complete or in part. Valid policies are taken, the others are named
 * with their problem.
 */
export function importPolicies(text: string): Imported {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (error) {
    return failed({ where: "", what: "not-json", detail: error instanceof Error ? error.message : "" });
  }
  const entries = entriesOf(parsed);
  if (entries === undefined || entries.length === 0) return failed({ where: "", what: "no-policies", detail: "" });
  const policies: StoredPolicy[] = [];
  const problems: ImportProblem[] = [];
  entries.forEach((entry, index) => {
    const read = readEntry(entry, index);
    if ("what" in read) problems.push(read);
    else if (policies.some(({ name }) => name === read.name))
      problems.push({ where: read.name, what: "same-name", detail: read.name });
    else policies.push(read);
  });
  return { policies, problems };
}

function failed(problem: ImportProblem): Imported {
  return { policies: [], problems: [problem] };
}

function entriesOf(parsed: unknown): readonly unknown[] | undefined {
  if (Array.isArray(parsed)) return parsed;
  if (!isObject(parsed)) return undefined;
  if ("policies" in parsed) return Array.isArray(parsed.policies) ? parsed.policies : undefined;
  return [parsed];
}

function readEntry(entry: unknown, index: number): StoredPolicy | ImportProblem {
  if (!isObject(entry)) return { where: `${index + 1}`, what: "invalid", detail: "must be an object" };
  // A bare policy has its fields at the top and its name among them.
  const bare = "policy" in entry ? entry.policy : entry;
  const own = isObject(bare) ? bare.name : undefined;
  const name = "policy" in entry && entry.name !== undefined ? entry.name : own;
  const where = typeof name === "string" && name !== "" ? name : `${index + 1}`;
  if (typeof name !== "string" || !NAME.test(name)) return { where, what: "bad-name", detail: String(name ?? "") };
  try {
    const policy = definePolicy({ ...(bare as PolicyInput), name });
    const from = "policy" in entry && typeof entry.from === "string" ? entry.from : undefined;
    return { name, ...(from !== undefined && { from }), policy };
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    return { where, what: "invalid", detail: error.message };
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
