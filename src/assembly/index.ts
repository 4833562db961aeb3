export { openJobsOf, runnerParts } from "./job-parts.ts";
export {
  type Assembly,
  type AssemblyOptions,
  assemble,
  type Foundations,
  type OpenedAssembly,
  openAssembly,
} from "./open-assembly.ts";
export { sessionParts, sharedParts, WATCHDOG } from "./session-parts.ts";
