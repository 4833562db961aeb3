import { openProviders } from "secondwind/providers";
import { type AgentEvent, patientStrategy, runTurn } from "secondwind/turn";

const { providers, credentialsOf } = await openProviders({ env: process.env });
const provider = providers.get("sim");
if (provider === undefined) throw new Error("Unknown provider: sim");

const { status, messages } = await runTurn({
  conversationId: "c1",
  turnId: "t1",
  message: "Why is the sky blue?",
  provider,
  model: "overloaded@1",
  credential: credentialsOf("sim")[0] ?? "",
  retry: patientStrategy(),
  emit: (event: AgentEvent) => {
    if (event.type === "text-delta") process.stdout.write(event.text);
    if (event.type === "provider-retry") console.warn(`${event.message}: retrying in ${event.delayMs} ms`);
  },
});
console.log(status, messages.length);
