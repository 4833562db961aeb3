import { resilient } from "secondwind";

const { OPENAI_BASE_URL = "https://api.openai.com/v1", OPENAI_API_KEY } = process.env;

// Return a failed response as it is: its status, headers and body say what to do. Read the body of a good one here, so that a connection
// that breaks half-way is retried too.
const ask = resilient(async ({ signal }, input: string) => {
  const response = await fetch(`${OPENAI_BASE_URL}/responses`, {
    method: "POST",
    headers: { authorization: `Bearer ${OPENAI_API_KEY}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "gpt-5.4", input }),
    signal,
  });
  return response.ok ? response.json() : response;
});

ask.subscribe((event) => {
  if (event.type !== "wait-start") return;
  const { failure, retry, delayMs, waitedMs, patienceMs } = event;
  console.warn(`${failure.message}: retry ${retry} in ${delayMs} ms, ${waitedMs} of ${patienceMs} ms waited`);
});
console.log(await ask("Why is the sky blue?"));
