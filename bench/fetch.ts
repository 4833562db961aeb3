import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import OpenAI from "openai";
import { resilientFetch } from "secondwind/fetch";
import { interleaved } from "./measure.ts";

const USAGE = `Usage: npm run bench:fetch -- [--rounds N]

What resilientFetch adds to calls of the OpenAI SDK against a server in another process: CPU time of the client, interleaved rounds, only
the ratios mean anything.

  --rounds N   3 to 99 (default 9)

Exit code 1 if a figure that we promise is not reached.`;

const AT_MOST = 1.05;
const args = process.argv.slice(2);
const rounds = args.length === 0 ? 9 : Number(args[1]);
if (args.length > 0 && (args[0] !== "--rounds" || args.length > 2 || !(rounds >= 3 && rounds <= 99))) {
  console.error(USAGE);
  process.exit(2);
}

const server = spawn(process.execPath, [fileURLToPath(new URL("fetch-server.mjs", import.meta.url))], {
  stdio: ["pipe", "pipe", "inherit"],
});
const [line] = (await once(server.stdout, "data")) as [Buffer];
const options = { apiKey: "bench", baseURL: `http://127.0.0.1:${Number(line)}/v1`, maxRetries: 0 };

/** What any wrapper needs that can end a request by itself: a signal, which follows that of the SDK. */
const withOwnSignal: typeof fetch = async (input, init) => {
  const stop = new AbortController();
  const follow = (): void => stop.abort(init?.signal?.reason);
  init?.signal?.addEventListener("abort", follow);
  const response = await fetch(input, { ...init, signal: stop.signal });
  init?.signal?.removeEventListener("abort", follow);
  return response;
};

const CLIENTS: ReadonlyMap<string, OpenAI> = new Map([
  ["bare SDK", new OpenAI(options)],
  ["a signal of its own", new OpenAI({ ...options, fetch: withOwnSignal })],
  ["secondwind", new OpenAI({ ...options, fetch: resilientFetch() })],
  // As where the global `fetch` is patched, or is not Node's.
  [
    "secondwind on plain fetch",
    new OpenAI({ ...options, fetch: resilientFetch({}, { fetch: (...args) => fetch(...args) }) }),
  ],
]);
const messages = [{ role: "user" as const, content: "Why is the sky blue?" }];

async function whole(client: OpenAI): Promise<void> {
  await client.chat.completions.create({ model: "bench", messages });
}

async function streamed(client: OpenAI): Promise<void> {
  let count = 0;
  for await (const _ of await client.chat.completions.create({ model: "bench", messages, stream: true })) count += 1;
  if (count !== 22) throw new Error(`${count} events instead of 22`);
}

async function report(title: string, operate: (client: OpenAI) => Promise<void>): Promise<boolean> {
  const entries = new Map([...CLIENTS].map(([name, client]) => [name, () => operate(client)]));
  const found = await interleaved(entries, rounds, () => undefined);
  const bare = found.get("bare SDK") ?? Number.NaN;
  console.log(title);
  for (const [name, ns] of found)
    console.log(`  ${name.padEnd(26)}${(ns / 1000).toFixed(1).padStart(9)} µs  ${(ns / bare).toFixed(3)}×`);
  const isReached = (found.get("secondwind") ?? Number.NaN) / bare <= AT_MOST;
  console.log(`  ${isReached ? "reached" : "MISSED"}: at most ${AT_MOST}× the bare SDK\n`);
  return isReached;
}

const isGood = [
  await report("a call that answers with 1 KB of JSON: CPU", whole),
  await report("a stream of 20 tokens in 23 chunks: CPU", streamed),
].every(Boolean);
server.stdin.end();
process.exitCode = isGood ? 0 : 1;
