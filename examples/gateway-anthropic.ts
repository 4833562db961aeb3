import Anthropic from "@anthropic-ai/sdk";

const client = new Anthropic({
  baseURL: process.env.ANTHROPIC_BASE_URL ?? "http://127.0.0.1:4747",
  maxRetries: 0, // Secondwind retries instead.
});

const { data, response } = await client.messages
  .create({
    model: "claude-sonnet-5-5",
    max_tokens: 500,
    messages: [{ role: "user", content: "Why is the sky blue?" }],
  })
  .withResponse();
console.log(`${response.headers.get("x-secondwind-attempts")} attempts`);
for (const block of data.content) if (block.type === "text") console.log(block.text);
