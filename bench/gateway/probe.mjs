// Loaded before every child (`--import`): answers what the process has used so far, and ends it together with the bench.
// `globalThis.measuredPid` names a process to look at instead, for a gateway that does not run in Node.
import { readFileSync } from "node:fs";

function usage() {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed, external } = process.memoryUsage();
  return { cpuUs: user + system, rss, heapUsed, external, resources: process.getActiveResourcesInfo() };
}

/** From /proc, in ticks of 10 ms and pages of 4 KB. The name of the process may have spaces, so fields count from its bracket. */
function usageOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ").pop().split(" ");
  const cpuUs = (Number(fields[11]) + Number(fields[12])) * 10_000;
  return { cpuUs, rss: Number(fields[21]) * 4096, heapUsed: 0, external: 0, resources: [] };
}

process.on("message", ({ id, command }) => {
  if (command !== "usage" && command !== "collect") return;
  if (command === "collect") for (let i = 0; i < 2; i++) globalThis.gc?.();
  process.send({ id, ...(globalThis.measuredPid === undefined ? usage() : usageOf(globalThis.measuredPid)) });
});
process.on("disconnect", () => process.exit());
