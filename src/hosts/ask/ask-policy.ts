import { definePolicy, InvalidInput, type Policy, type PolicyInput } from "../../kernel/index.ts";
import {
  backgroundPolicy,
  consolePolicy,
  defaultPolicy,
  patientPolicy,
  sessionPolicy,
  tavernPolicy,
} from "../../presets/index.ts";
import { readJsonFile } from "../../terminal/read-json-file.ts";

const PRESETS: Readonly<Record<string, () => Policy>> = {
  default: defaultPolicy,
  session: sessionPolicy,
  patient: patientPolicy,
  console: consolePolicy,
  tavern: tavernPolicy,
  background: backgroundPolicy,
};

/** A preset by its name, or the recommended policy with the changes that a JSON file has. Throws `InvalidInput`. */
export function askPolicy(name: string): Policy {
  if (Object.hasOwn(PRESETS, name)) return PRESETS[name]?.() ?? defaultPolicy();
  if (/[./\\]/.test(name)) return definePolicy(readJsonFile("--policy", name) as PolicyInput, defaultPolicy());
  throw new InvalidInput("--policy", name, `one of ${Object.keys(PRESETS).join(", ")}, or a JSON file`);
}
