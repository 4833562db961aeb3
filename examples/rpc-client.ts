import { RpcClient } from "secondwind/rpc";

// Runs the agent in a separate process. Retries arrive as events.
const client = await RpcClient.start({ model: "anthropic/claude-sonnet-5-5" });

const ended = new Promise<void>((resolve) => {
  client.subscribe((event) => {
    if (event.type === "message_delta") process.stdout.write(event.delta);
    if (event.type === "auto_retry_start") console.warn(`${event.errorMessage}: retrying in ${event.delayMs} ms`);
    if (event.type === "agent_end") resolve();
  });
});

process.once("SIGINT", () => void client.abort());
await client.prompt("What is in this folder?");
await ended;
await client.close();
