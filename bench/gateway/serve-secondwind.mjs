// Bundled before it is started (see contestants.ts), because users run compiled code: tsx would keep a loader thread in the process.
// As `secondwind serve` has it: one health for the process, and every generation is written down in the activity.
import { createServer } from "node:http";
import { openActivity } from "../../src/activity/index.ts";
import { createGateway } from "../../src/gateway/index.ts";
import { MemoryHealth } from "../../src/kernel/index.ts";
import { memoryStore } from "../../src/store/index.ts";
import { systemPorts } from "../../src/system/index.ts";

const health = new MemoryHealth();
const activity = await openActivity({ store: memoryStore(), health, ports: systemPorts() });
const gateway = createGateway({
  endpoints: { openai: { baseURL: `${process.argv[2]}/v1`, format: "openai" } },
  health,
  watch: ({ endpoint, model, policy }) => activity.watch({ door: "gateway", policy, asked: `${endpoint}/${model}` }),
});
const server = createServer((request, response) => gateway.handle(request, response));
server.listen(0, "127.0.0.1", 2048, () => process.send({ port: server.address().port }));
