import OpenAI from "openai";
import { resilient } from "secondwind";

const client = new OpenAI({ maxRetries: 0 });
const ask = resilient(({ signal }, input: string) => client.responses.create({ model: "gpt-5.4", input }, { signal }));

// Ctrl-C, or the Stop button of an application. It ends a wait and a running call alike, at once.
const stop = new AbortController();
process.once("SIGINT", () => stop.abort());

try {
  const answer = await ask.with({ signal: stop.signal })("Why is the sky blue?");
  console.log(answer.output_text);
} catch (error) {
  if (!stop.signal.aborted) throw error;
  console.log("Stopped.");
}
