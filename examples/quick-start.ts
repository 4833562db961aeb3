import OpenAI from "openai";
import { resilient } from "secondwind";

const client = new OpenAI({ maxRetries: 0 }); // Secondwind retries instead.
const ask = resilient(({ signal }, input: string) => client.responses.create({ model: "gpt-5.4", input }, { signal }));

const answer = await ask("Why is the sky blue?");
console.log(answer.output_text);
