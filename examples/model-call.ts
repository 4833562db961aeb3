import { sessionPolicy, systemPorts } from "secondwind";
import { preparePolicy } from "secondwind/kernel";
import { openModelCall, openProviders } from "secondwind/providers";

const { providers, credentialsOf, vault } = await openProviders({ env: process.env });
const call = openModelCall({
  providerOf: (name) => providers.get(name),
  request: { messages: [{ role: "user", content: "Why is the sky blue?" }] },
  targets: [{ provider: "anthropic", model: "claude-sonnet-5-5", credentials: credentialsOf("anthropic") }],
  policy: preparePolicy(sessionPolicy()),
  sink: "committed",
  ports: systemPorts(),
});
for await (const event of call) console.log(vault.redact(event));
