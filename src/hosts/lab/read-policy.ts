import { basename } from "node:path";
import { definePolicy, InvalidInput, type PolicyInput } from "../../kernel/index.ts";
import { defaultPolicy } from "../../presets/index.ts";
import { LAB_POLICY_NAMES, type LabPolicy, labPolicy } from "../../simulator/lab/index.ts";
import { readJsonFile } from "../../terminal/read-json-file.ts";

/** A policy by its name, or from a JSON file with changes to the recommended one. Throws `InvalidInput`. */
export function readPolicy(option: string, name: string): LabPolicy {
  const known = labPolicy(name);
  if (known !== undefined) return known;
  const allowed = `one of ${LAB_POLICY_NAMES.join(", ")}, or a JSON file`;
  if (!/[./\\]/.test(name)) throw new InvalidInput(option, name, allowed);
  const changes = readJsonFile(option, name);
  const base = defaultPolicy();
  const policy = definePolicy(changes as PolicyInput, base);
  return { name: policy.name === base.name ? basename(name, ".json") : policy.name, policy };
}
