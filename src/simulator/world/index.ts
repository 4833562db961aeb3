export { createRandom, drawExponential, type Random } from "./random.ts";
export { VirtualWorld } from "./virtual-world.ts";
