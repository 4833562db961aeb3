import { RpcClient } from "secondwind/rpc";

// An agent in a process of its own. Its retries are events; a person may end a wait, or the whole prompt.
const client = RpcClient.start({ model: "anthropic/claude-sonnet-4-5" });

const ended = new Promise<void>((resolve) => {
  client.subscribe((event) => {
    if (event.type === "message_delta") process.stdout.write(event.delta);
    if (event.type === "auto_retry_start") console.warn(`${event.errorMessage}: again in ${event.delayMs} ms`);
    if (event.type === "agent_end") resolve();
  });
});

process.once("SIGINT", () => void client.abort());
await client.prompt("What is in this folder?");
await ended;
await client.close();
