/** What `bundle-process.test.ts` bundles into one file. */
export { createContentCheck } from "../../src/system/guarded-pattern/content-check.ts";
export { validatePattern } from "../../src/system/guarded-pattern/validate-pattern.ts";
export { sleep } from "../../src/system/sleep.ts";
export { systemPorts } from "../../src/system/system-ports.ts";
