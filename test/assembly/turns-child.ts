import { writeSync } from "node:fs";
import { openAssembly, sessionParts } from "../../src/assembly/index.ts";
import { AgentSession, createTools } from "../../src/session/index.ts";
import type { SessionEvent } from "../../src/wire/index.ts";

/** What a process says: what it found, each entry once it was acknowledged, how its prompts ended. */
export type Said =
  | { readonly type: "found"; readonly entries: number }
  | { readonly type: "kept"; readonly data: unknown }
  | { readonly type: "ended"; readonly status: string };

const [path = "", conversationId = "", model = "sim/weathered", count = "Infinity"] = process.argv.slice(2);
const { HOME = "" } = process.env;

// Synchronous: what was not said was not promised, and what was said is in the pipe.
const say = (said: Said): void => void writeSync(1, `${JSON.stringify(said)}\n`);

function hear(event: SessionEvent): void {
  if (event.type === "message_end") say({ type: "kept", data: event.message });
  if (event.type === "model_change") {
    const { type: _type, ...data } = event;
    say({ type: "kept", data });
  }
  if (event.type === "agent_end") say({ type: "ended", status: event.status });
}

/** Goes on with the conversation, turn after turn with a tool in it, until it is killed or has made `count` of them. */
const assembly = await openAssembly({
  env: { HOME },
  storePath: path,
  simulator: { weather: "drizzle", timeScale: 0.01, firstTokenMs: 100, tokenMs: 10, seed: process.pid },
});
await assembly.store.config.set("retry.baseDelayMs", 5);
const parts = await sessionParts(assembly);
const session = await AgentSession.open({ ...parts, tools: createTools(HOME) }, { conversationId, model });
say({ type: "found", entries: (await assembly.store.conversations.get(conversationId))?.entries ?? 0 });
session.subscribe(hear);
for (let n = 0; n < Number(count); n++) await session.prompt(`Turn ${process.pid}-${n}: call your tool to list`);
await session.close();
await assembly.close();
