import OpenAI from "openai";
import { resilient } from "secondwind";

// The names of the keys, not the keys, appear in events and receipts.
const clients = new Map([
  ["work", new OpenAI({ apiKey: process.env.OPENAI_API_KEY ?? "", maxRetries: 0 })],
  ["spare", new OpenAI({ apiKey: process.env.OPENAI_API_KEY_2 ?? "", maxRetries: 0 })],
]);

const ask = resilient(
  async ({ signal, target }, input: string) =>
    clients.get(target.credential)?.responses.create({ model: target.model, input }, { signal }),
  {},
  { targets: [{ provider: "openai", model: "gpt-5.4", credentials: [...clients.keys()] }] },
);

// A key whose quota is used up is left alone for a while; the other one is used at once.
const answer = await ask("Why is the sky blue?");
console.log(answer?.output_text);
