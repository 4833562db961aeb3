import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openActivity } from "../src/activity/index.ts";
import { Vault } from "../src/credentials/index.ts";
import { MemoryHealth, run } from "../src/index.ts";
import { memoryStore, openStore, type Store } from "../src/store/index.ts";
import { systemPorts } from "../src/system/index.ts";
import { cpuNs, interleaved } from "./measure.ts";

/** What it costs to write generations down: in memory, and with a journal on the disk. CPU time. */
const facts = { door: "chat", conversationId: "c", turnId: "t", policy: "default", asked: "openai/gpt-5" } as const;
const targets = [{ provider: "openai", model: "gpt-5", credentials: ["openai#env1"] }];
const ports = systemPorts();
const vault = new Vault();
vault.add({
  id: "openai#env1",
  provider: "openai",
  origin: "https://x.example",
  from: "bench",
  secret: "sk-0123456789abcdef",
});
const { redact } = vault;
const answer = async (): Promise<string> => "answer";
const health = new MemoryHealth();

const inMemory = await openActivity({ store: memoryStore(), health, ports, redact });
const perCall = await interleaved(
  new Map([
    ["with a listener", () => run(answer, { targets, health, ports, on: () => undefined })],
    [
      "written down",
      () => {
        const watch = inMemory.watch(facts);
        return run(
          async () => {
            watch.content();
            return "answer";
          },
          { targets, health, ports, on: watch.on },
        );
      },
    ],
  ]),
  9,
  () => undefined,
);
const engineNs = perCall.get("with a listener") ?? Number.NaN;
const watchedNs = perCall.get("written down") ?? Number.NaN;
const addedNs = watchedNs - engineNs;
console.log(`engine with an idle listener  ${Math.round(engineNs)} ns a generation`);
console.log(
  `activity adds                 ${Math.round(addedNs)} ns a generation (${(addedNs / engineNs).toFixed(1)} times)`,
);
console.log(`200 a second                  ${((addedNs * 200) / 1e7).toFixed(3)} % of a core`);
await inMemory.close();

const folder = mkdtempSync(join(tmpdir(), "secondwind-bench-"));
try {
  const onDisk = await openStore({ path: join(folder, "secondwind.db") });
  const share = await shareOfCore(onDisk, 200, 5);
  console.log(`with the journal, 200 a second for 5 s: ${(share * 100).toFixed(1)} % of a core`);
  await onDisk.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** CPU time of writing so many generations a second down, with a subscriber, less that of the same without activity. */
async function shareOfCore(store: Store, perSecond: number, seconds: number): Promise<number> {
  const activity = await openActivity({ store, health, ports, redact });
  activity.subscribe(() => undefined);
  const spend = async (isWatched: boolean): Promise<number> => {
    const before = cpuNs();
    for (let tick = 0; tick < seconds * 20; tick++) {
      for (let n = 0; n < perSecond / 20; n++) {
        const on = isWatched ? activity.watch(facts).on : (): undefined => undefined;
        void run(answer, { targets, health, ports, on });
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return cpuNs() - before;
  };
  const idle = await spend(false);
  const watched = await spend(true);
  await activity.close();
  return (watched - idle) / (seconds * 1e9);
}
