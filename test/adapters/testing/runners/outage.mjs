// The same test under every runner: `expect` is all that it needs of one.
import { run } from "secondwind";
import { patientPolicy } from "secondwind/presets";
import { always, overloaded, simulateProviders, virtualTime } from "secondwind/testing";

export async function outage(equal) {
  const providers = await simulateProviders({ script: [always(overloaded())] });
  const time = virtualTime();
  const request = {
    method: "POST",
    headers: { authorization: "Bearer test" },
    body: JSON.stringify({ model: "m", messages: [{ role: "user", content: "Hello" }] }),
  };
  for (const fetch of [globalThis.fetch, providers.fetch]) {
    const call = () => fetch(`${providers.baseURLs.openai}/chat/completions`, request);
    const result = await run(call, { policy: patientPolicy(), ports: time.ports });
    equal(result.ok ? "answered" : result.failure.kind, "overloaded");
  }
  equal(time.elapsedMs, 2 * 27_105_000);
  equal(providers.requests.length, 44);
  await providers.close();
}
