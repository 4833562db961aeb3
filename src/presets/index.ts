export type { Policy } from "../kernel/index.ts";
export { backgroundPolicy } from "./background.ts";
export { type ConsoleSettings, consolePolicy } from "./console.ts";
export { defaultPolicy } from "./default.ts";
export { patientPolicy } from "./patient.ts";
export { PRESETS } from "./presets.ts";
export { type SessionSettings, sessionPolicy } from "./session.ts";
export { TAVERN_DEFAULTS, TAVERN_RANGES, type TavernSettings, tavernPolicy } from "./tavern.ts";
