import { MemoryHealth } from "secondwind";
import { openProviders } from "secondwind/providers";
import { AgentSession, createTools } from "secondwind/session";
import { openStore } from "secondwind/store";

// Keys come from the environment. Without any key the default model is `sim/sonnet`, which is simulated.
const { providers, credentialsOf, defaultModel, vault } = await openProviders({ env: process.env });
const store = await openStore({ path: ":memory:" });

const session = await AgentSession.open({
  providers: new Map([...providers].map(([name, provider]) => [name, { provider, credentials: credentialsOf(name) }])),
  defaultModel,
  conversations: store.conversations,
  settings: { read: async () => ({ maxRetries: 5 }), write: async () => undefined },
  health: new MemoryHealth(),
  redact: vault.redact,
  tools: createTools("."),
});

session.subscribe((event) => {
  if (event.type === "message_delta") process.stdout.write(event.delta);
  if (event.type === "auto_retry_start") console.warn(`${event.errorMessage}: retrying in ${event.delayMs} ms`);
});
console.log(await session.prompt("What is in this folder?"));
await store.close();
