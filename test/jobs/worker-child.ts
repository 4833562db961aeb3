// A worker in a process of its own, to be killed. Its provider is bad weather, and it can be told to die.
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { jobRunner, openJobs } from "../../src/jobs/index.ts";
import type { Provider, ProviderEvent, ProviderRequest } from "../../src/providers/provider.ts";
import { systemPorts } from "../../src/system/index.ts";

const {
  place,
  leaseMs = 1000,
  poisonAfter = 1000,
  folder = "",
} = JSON.parse(process.argv[2] ?? "{}") as {
  readonly place: string;
  readonly leaseMs?: number;
  readonly poisonAfter?: number;
  /** Where a job that kills its worker counts. */
  readonly folder?: string;
};

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const fails = (status: number): ProviderEvent => ({
  type: "error",
  message: `HTTP ${status}: storm`,
  status,
  retryable: true,
});

async function* answer({ messages }: ProviderRequest): AsyncGenerator<ProviderEvent> {
  const [message] = messages;
  const words = message?.role === "user" ? message.content : "";
  const [what, amount = "0"] = words.split(" ");
  if (what === "crash") {
    const path = `${folder}/crashes`;
    const before = existsSync(path) ? readFileSync(path, "utf8").length : 0;
    if (before < Number(amount)) {
      appendFileSync(path, "x");
      process.kill(process.pid, "SIGKILL");
    }
  }
  if (what === "slow") await pause(Number(amount));
  if (what === "storm") {
    await pause(Math.random() * 150);
    const luck = Math.random();
    if (luck < 0.35) return yield fails(503);
    if (luck < 0.5) return yield fails(429);
  }
  yield { type: "text", text: `${process.pid} ${Math.random()}` };
  yield { type: "usage", inputTokens: 1, outputTokens: 1 };
  yield { type: "finish", reason: "end" };
}

const provider: Provider = { name: "weather", stream: answer };
const jobs = await openJobs({
  ...(place.startsWith("redis:") ? { redis: place } : { path: place }),
  ...{ leaseMs, poisonAfter, crashDelayMs: 0 },
});
jobs.work(
  jobRunner({
    providerOf: () => provider,
    targetsFor: () => [{ provider: "weather", model: "any" }],
    ports: systemPorts({ reportFault: () => undefined }),
  }),
  { concurrency: 20 },
);
process.stdout.write("ready\n");
