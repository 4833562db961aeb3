import { ChatOpenAI } from "@langchain/openai";

const model = new ChatOpenAI({
  model: "gpt-5.4",
  configuration: { baseURL: process.env.OPENAI_BASE_URL ?? "http://127.0.0.1:4747/v1" },
  maxRetries: 0, // Secondwind retries instead.
});

const answer = await model.invoke("Why is the sky blue?");
console.log(answer.content);
