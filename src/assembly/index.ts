export { type Assembly, type AssemblyOptions, assemble, type Foundations, openAssembly } from "./open-assembly.ts";
export { sessionParts } from "./session-parts.ts";
