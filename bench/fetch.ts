import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import OpenAI from "openai";
import { resilientFetch } from "../src/adapters/fetch/index.ts";
import { interleaved } from "./measure.ts";

const server = spawn(process.execPath, [fileURLToPath(new URL("fetch-server.mjs", import.meta.url))], {
  stdio: ["pipe", "pipe", "inherit"],
});
const [line] = (await once(server.stdout, "data")) as [Buffer];
const options = { apiKey: "bench", baseURL: `http://127.0.0.1:${Number(line)}/v1`, maxRetries: 0 };
const clients = { bare: new OpenAI(options), ours: new OpenAI({ ...options, fetch: resilientFetch() }) };
const messages = [{ role: "user" as const, content: "Why is the sky blue?" }];

async function whole(client: OpenAI): Promise<void> {
  await client.chat.completions.create({ model: "bench", messages });
}
async function streamed(client: OpenAI): Promise<number> {
  let count = 0;
  for await (const _ of await client.chat.completions.create({ model: "bench", messages, stream: true })) count += 1;
  return count;
}
const rounds = Number(process.argv[2] ?? 9);
const found = await interleaved(
  new Map<string, () => Promise<unknown>>([
    ["json bare", () => whole(clients.bare)],
    ["json ours", () => whole(clients.ours)],
    ["stream bare", () => streamed(clients.bare)],
    ["stream ours", () => streamed(clients.ours)],
  ]),
  rounds,
  () => undefined,
);
for (const [name, ns] of found) console.log(name.padEnd(14), (ns / 1000).toFixed(1), "µs");
console.log("json", ((found.get("json ours") ?? 0) / (found.get("json bare") ?? 1)).toFixed(3));
console.log("stream", ((found.get("stream ours") ?? 0) / (found.get("stream bare") ?? 1)).toFixed(3));
server.stdin.end();
