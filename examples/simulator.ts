import OpenAI from "openai";
import { startSimulator } from "secondwind/simulator";

const sim = await startSimulator({ timeScale: 0.01, tokenMs: 0 });
const client = new OpenAI({ apiKey: "key-a", baseURL: sim.urls.openai, maxRetries: 0 });
const messages = [{ role: "user" as const, content: "Why is the sky blue?" }];

console.log(await client.chat.completions.create({ model: "ok", messages })); // An answer.
// A 429 with a hint of 2 s.
await client.chat.completions.create({ model: "rate-limited-2000", messages }).catch(console.error);
console.log(sim.requests.map(({ model, status }) => [model, status])); // What was received.
await sim.close();
