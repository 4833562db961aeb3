import OpenAI from "openai";
import { MemoryHealth, resilient } from "secondwind";

const client = new OpenAI({ maxRetries: 0 });
const create = (signal: AbortSignal, model: string, input: string) =>
  client.responses.create({ model, input }, { signal });

// Both use the same model. A limit or an outage that one of them meets holds the other back too, instead of being found out twice.
const options = { health: new MemoryHealth(), targets: [{ provider: "openai", model: "gpt-5.4" }] };
const ask = resilient(({ signal, target }, question: string) => create(signal, target.model, question), {}, options);
const summarise = resilient(
  ({ signal, target }, text: string) => create(signal, target.model, `Summarise in one sentence: ${text}`),
  {},
  options,
);

const answer = await ask("Why is the sky blue?");
const summary = await summarise(answer.output_text);
console.log(summary.output_text);
