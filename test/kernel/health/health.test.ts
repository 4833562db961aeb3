import { GuardedHealth } from "../../../src/kernel/health/guarded-health.ts";
import { MemoryHealth } from "../../../src/kernel/health/memory-health.ts";
import { reportingPorts } from "./fixtures.ts";
import { healthContract } from "./health-contract.ts";

healthContract("MemoryHealth", () => new MemoryHealth());
healthContract("GuardedHealth", () => new GuardedHealth(new MemoryHealth(), reportingPorts().ports));
