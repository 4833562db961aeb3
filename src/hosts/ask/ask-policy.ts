import { definePolicy, InvalidInput, type Policy, type PolicyInput } from "../../kernel/index.ts";
import { defaultPolicy, PRESETS } from "../../presets/index.ts";
import { readJsonFile } from "../../terminal/read-file.ts";

/** A preset by its name, or the recommended policy with the changes that a JSON file has. Throws `InvalidInput`. */
export function askPolicy(name: string): Policy {
  if (Object.hasOwn(PRESETS, name)) return PRESETS[name]?.() ?? defaultPolicy();
  if (/[./\\]/.test(name)) return definePolicy(readJsonFile("--policy", name) as PolicyInput, defaultPolicy());
  throw new InvalidInput("--policy", name, `one of ${Object.keys(PRESETS).join(", ")}, or a JSON file`);
}
