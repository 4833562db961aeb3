import { run, sessionPolicy } from "secondwind";

declare function generate(model: string, key: string, signal: AbortSignal): Promise<string>;

const result = await run(({ target, signal }) => generate(target.model, target.credential, signal), {
  policy: sessionPolicy({ maxRetries: 5 }),
  targets: [
    { provider: "anthropic", model: "claude-sonnet-5-5", credentials: ["work", "private"] },
    { provider: "openai", model: "gpt-5.4", credentials: ["work"] },
  ],
});

if (result.ok) console.log(result.value);
else if (result.reason === "hand-over") console.error("The context is too long: shorten it and ask again.");
else console.error(`${result.failure.kind}: ${result.failure.message}`, result.receipt);
