import { basename } from "node:path";
import { checkObject, definePolicy, InvalidInput } from "../../kernel/index.ts";
import { defaultPolicy } from "../../presets/index.ts";
import { type Entrant, LAB_POLICY_NAMES, labEntrant } from "../../simulator/lab/index.ts";
import { readJsonFile } from "../../terminal/read-file.ts";

/** A policy by its name, or from a JSON file with changes to the default policy. Throws `InvalidInput`. */
export function readPolicy(option: string, name: string): Entrant {
  const known = labEntrant(name);
  if (known !== undefined) return known;
  const allowed = `one of ${LAB_POLICY_NAMES.join(", ")}, or a JSON file`;
  if (!/[./\\]/.test(name)) throw new InvalidInput(option, name, allowed);
  const changes = checkObject("policy", readJsonFile(option, name));
  return { policy: definePolicy({ name: basename(name, ".json"), ...changes }, defaultPolicy()) };
}
