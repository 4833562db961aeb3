import OpenAI from "openai";
import { resilientFetch } from "secondwind/fetch";

const client = new OpenAI({ fetch: resilientFetch(), maxRetries: 0 }); // Secondwind retries instead.

const answer = await client.responses.create({ model: "gpt-5.4", input: "Why is the sky blue?" });
console.log(answer.output_text);
