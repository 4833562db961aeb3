import type { AgentSession } from "../../session/index.ts";
import { adaptiveFactor } from "../../session/retry/adaptive-delay.ts";
import type { Experience, Store } from "../../store/index.ts";
import { sayDuration, sayLearned } from "../../terminal/index.ts";
import type { RetryTally, StatusTally } from "../../wire/index.ts";

import type { ProviderRetries } from "./console-policy.ts";

type Shown = Pick<AgentSession, "model" | "conversationId" | "messages" | "tokens" | "retryTally">;

/** C7: what `/info` shows. One exchange is one generation. */
export function infoLines(
  { model, conversationId, messages, tokens, retryTally: tally }: Shown,
  { isPersistent }: Pick<Store, "isPersistent">,
): readonly string[] {
  const { generations, retries, retried, recovered } = tally;
  const statuses = Object.entries(tally.statuses).sort(([a], [b]) => a.localeCompare(b));
  const count = `${messages.length} ${messages.length === 1 ? "message" : "messages"}${isPersistent ? "" : ", not saved"}`;
  return [
    label("Model", model),
    label("Conversation", `${conversationId} (${count})`),
    label("Tokens", `${tokens.input} in, ${tokens.output} out`),
    label("Exchanges", String(generations)),
    label("Retries this session", String(retries)),
    label(
      "Success rate after retry",
      retried === 0 ? "-" : `${share(recovered, retried)} (${recovered} of ${retried})`,
    ),
    label("Mean retry time", sayMeans(tally)),
    ...(statuses.length === 0 ? [] : ["By status code"]),
    ...statuses.map(([name, status]) => label(`  ${name}`, sayStatus(status))),
  ];
}

/** C10: what applies to the provider now, and what adaptive waits have learned. */
export function adaptiveLines(
  provider: string,
  learned: readonly Experience[],
  retriesFor: (provider: string) => ProviderRetries,
): readonly string[] {
  const { longestMs, isAdaptive, policy } = retriesFor(provider);
  const seen = learned
    .filter(({ successes, failures }) => successes + failures > 0)
    .toSorted((a, b) => nameOf(a).localeCompare(nameOf(b)));
  return [
    label(
      `Waits for ${provider}`,
      `${sayDuration(longestMs)} at most, breaker ${policy.breaker === null ? "off" : "on"}`,
    ),
    label("Adaptive waits", `${isAdaptive ? "on" : "off"}${seen.length === 0 ? ", nothing learned yet" : ""}`),
    ...seen.map((one) =>
      label(
        `  ${nameOf(one)}`,
        sayLearned({ ...one, factor: adaptiveFactor(one), isUsed: retriesFor(one.provider).isAdaptive }),
      ),
    ),
  ];
}

function nameOf({ provider, endpoint, status }: Experience): string {
  return `${provider} ${endpoint} ${status}`;
}

/** The wait before one retry, and all the time from the first failure to the end. */
function sayMeans({ retries, retried, waitedMs, retryingMs }: RetryTally): string {
  if (retries === 0 || retried === 0) return "-";
  return `${sayDuration(waitedMs / retries)} per retry, ${sayDuration(retryingMs / retried)} per exchange`;
}

function sayStatus({ failures, retries, worked }: StatusTally): string {
  const failed = failures === 1 ? "1 failure" : `${failures} failures`;
  const tried = retries === 1 ? "1 retry" : `${retries} retries`;
  return retries === 0 ? `${failed}, not retried` : `${failed}, ${tried}, ${share(worked, retries)} worked`;
}

function share(part: number, whole: number): string {
  return `${Math.round((100 * part) / whole)} %`;
}

function label(name: string, text: string): string {
  return `${name.padEnd(26)}${text}`;
}
