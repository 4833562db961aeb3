import { GuardedHealth } from "../../../src/kernel/health/guarded-health.ts";
import { MemoryHealth } from "../../../src/kernel/health/memory-health.ts";
import { breakerContract } from "./breaker-contract.ts";
import { reportingPorts } from "./fixtures.ts";
import { healthContract } from "./health-contract.ts";

for (const contract of [healthContract, breakerContract]) {
  contract("MemoryHealth", () => new MemoryHealth());
  contract("GuardedHealth", () => new GuardedHealth(new MemoryHealth(), reportingPorts().ports));
}
