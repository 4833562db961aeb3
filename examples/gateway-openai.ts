import OpenAI from "openai";

const client = new OpenAI({
  baseURL: process.env.OPENAI_BASE_URL ?? "http://127.0.0.1:4747/v1",
  maxRetries: 0, // Secondwind retries instead.
});

const stream = await client.responses.create({ model: "gpt-5.4", input: "Why is the sky blue?", stream: true });
for await (const event of stream) if (event.type === "response.output_text.delta") process.stdout.write(event.delta);
