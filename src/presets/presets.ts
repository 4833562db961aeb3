import type { Policy } from "../kernel/index.ts";
import { backgroundPolicy } from "./background.ts";
import { consolePolicy } from "./console.ts";
import { defaultPolicy } from "./default.ts";
import { patientPolicy } from "./patient.ts";
import { sessionPolicy } from "./session.ts";
import { tavernPolicy } from "./tavern.ts";

/** All presets by name, the recommended one first. */
export const PRESETS: Readonly<Record<string, () => Policy>> = {
  default: () => defaultPolicy(),
  tavern: () => tavernPolicy(),
  session: () => sessionPolicy(),
  patient: () => patientPolicy(),
  console: () => consolePolicy(),
  background: () => backgroundPolicy(),
};
