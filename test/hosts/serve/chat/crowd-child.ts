import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { openActivity } from "../../../../src/activity/index.ts";
import { openAssembly } from "../../../../src/assembly/index.ts";
import { chatRoutes } from "../../../../src/hosts/serve/api/chat-routes.ts";
import { serveApi } from "../../../../src/hosts/serve/api/serve-api.ts";
import { openChat } from "../../../../src/hosts/serve/chat/open-chat.ts";
import { definePolicy } from "../../../../src/kernel/index.ts";
import { patientPolicy } from "../../../../src/presets/index.ts";

/** The chat of the server in a process of its own, with a store on the disk and the simulated provider in drizzle. */
const [storePath = "", tokenMs = "100"] = process.argv.slice(2);
const schedules = { general: { type: "fixed", delayMs: 500, atMost: 200 } } as const;
const policy = definePolicy({ name: "quick", schedules, honourHints: false }, patientPolicy());
const simulator = { weather: "drizzle", firstTokenMs: 500, tokenMs: Number(tokenMs) } as const;
const assembly = await openAssembly({ env: {}, storePath, simulator });
const activity = await openActivity(assembly);
const service = openChat(assembly, {
  activity,
  defaults: async () => ({ model: "sim/weather", policy: "quick" }),
  policyOf: () => policy,
});
const api = serveApi({ routes: chatRoutes(service), bodyBytes: 1_000_000, reportFault: assembly.ports.reportFault });
const server = createServer((request, response) => {
  if (request.url === "/stats") response.end(JSON.stringify(stats()));
  else void api.handle(request, response, {});
});
const delays = monitorEventLoopDelay({ resolution: 10 });
let peakBytes = 0;
let mostRunning = 0;
setInterval(() => {
  peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
  mostRunning = Math.max(mostRunning, service.running);
}, 50).unref();

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function stats() {
  const p99Ms = delays.percentile(99) / 1e6;
  const maxMs = delays.max / 1e6;
  const result = {
    mostRunning,
    rssBytes: process.memoryUsage.rss(),
    peakBytes,
    p99Ms,
    maxMs,
    cpuMs: cpuMs(),
  };
  delays.reset();
  delays.enable();
  return result;
}

server.listen(0, "127.0.0.1", () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
