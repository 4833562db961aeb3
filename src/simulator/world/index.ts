export { EventLog, type LogEntry } from "./event-log.ts";
export { createRandom, drawExponential, type Random } from "./random.ts";
export { answers, hangs, type Refusal, refuses, type Step, scriptedTarget } from "./scripted-target.ts";
export { VirtualWorld, type WorldOptions } from "./virtual-world.ts";
