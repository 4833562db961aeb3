import OpenAI from "openai";
import { run, sessionPolicy } from "secondwind";

const client = new OpenAI({ maxRetries: 0 });
const input = "Why is the sky blue?";

const result = await run(({ target, signal }) => client.responses.create({ model: target.model, input }, { signal }), {
  policy: sessionPolicy({ maxRetries: 5 }),
  targets: [
    { provider: "openai", model: "gpt-5.4" },
    { provider: "openai", model: "gpt-5.4-mini" },
  ],
});

if (result.ok) console.log(result.value.output_text);
else if (result.reason === "hand-over") console.error("The context is too long: shorten it and ask again.");
else console.error(`${result.failure.kind}: ${result.failure.message}`, result.receipt);
