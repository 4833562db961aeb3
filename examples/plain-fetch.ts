import { resilient } from "secondwind";

// Any call will do. Throw what the server sent, with its status and headers: that is what the classifier reads.
const ask = resilient(async ({ signal }, question: string) => {
  const response = await fetch("https://llm.example/v1/answer", { method: "POST", body: question, signal });
  const { ok, status, headers } = response;
  const text = await response.text();
  if (!ok) throw Object.assign(new Error(text), { status, headers });
  return text;
});

ask.subscribe((event) => {
  if (event.type !== "wait-start") return;
  const { failure, retry, delayMs, waitedMs, patienceMs } = event;
  console.warn(`${failure.message}: retry ${retry} in ${delayMs} ms, ${waitedMs} of ${patienceMs} ms waited`);
});
console.log(await ask("Why is the sky blue?"));
