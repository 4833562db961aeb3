/** Asks three times and has nothing more to do. Prints how many of its requests `fetch` has noted down. */
import { resilientFetch } from "../../../../src/adapters/fetch/index.ts";

const fetch = resilientFetch();
for (let call = 0; call < 3; call += 1) {
  const response = await fetch(`${process.argv[2]}/v1/chat/completions`, { method: "POST", body: '{"model":"m"}' });
  await response.text();
  await new Promise((resolve) => setTimeout(resolve, 20));
}
process.stdout.write(`${performance.getEntriesByType("resource").length}\n`);
