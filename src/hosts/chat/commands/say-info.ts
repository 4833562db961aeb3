import type { FailureKind } from "../../../kernel/index.ts";
import { adaptiveFactor } from "../../../session/retry/adaptive-delay.ts";
import { sayDuration, sayKind, sayLearned } from "../../../terminal/index.ts";
import type { RetryTally } from "../../../wire/index.ts";
import type { ChatParts } from "../chat-parts.ts";
import { sayCount } from "../layout/layout-status.ts";
import { type ChatState, healthOf } from "../state/chat-state.ts";

const NONE = "no retry has finished yet";

type Learned = Awaited<ReturnType<ChatParts["listLearned"]>>[number];

/** C7, C10: what `/info` shows. */
export function sayInfo(state: ChatState, learned: readonly Learned[]): string {
  const { tokens, retries: tally, isAutoRetry } = state;
  const { retries, retried, recovered, cancelled } = tally;
  const statuses = Object.entries(tally.statuses).filter(([, status]) => status.retries > 0);
  const health = healthOf(state).map(({ name, state: how, forMs }) =>
    how === "cooling" ? `${name} cooling ${sayDuration(forMs)}` : `${name} ${how}`,
  );
  return [
    "## This conversation",
    "",
    `- Id: ${state.conversationId}`,
    `- Model: ${state.model}`,
    `- Tokens: ${sayCount(tokens.input)} in, ${sayCount(tokens.output)} out`,
    `- Providers: ${health.length === 0 ? "not called yet" : health.join(", ")}`,
    "",
    "## Retries since the chat was opened",
    "",
    `- Automatic: ${isAutoRetry ? "on" : "off"}`,
    `- Retries: ${retries}`,
    `- Success after retry: ${retried === 0 ? NONE : `${Math.round((100 * recovered) / retried)} % (${recovered} of ${retried})`}`,
    ...(cancelled > 0 ? [`- Cancelled: ${cancelled}`] : []),
    `- Mean retry time: ${sayMeans(tally)}`,
    ...statuses.map(([name, status]) => {
      const what = /^\d/.test(name) ? `Status ${name}` : sayKind(name as FailureKind);
      return `- ${what}: ${status.retries} ${status.retries === 1 ? "retry" : "retries"}, ${status.worked} worked`;
    }),
    ...sayAllLearned(learned),
  ].join("\n");
}

function sayAllLearned(learned: readonly Learned[]): readonly string[] {
  const seen = learned.filter(({ successes, failures }) => successes + failures > 0);
  if (seen.length === 0) return [];
  return [
    "",
    "## Adaptive waits",
    "",
    ...seen.map((one) => {
      const { provider, endpoint, status } = one;
      return `- ${provider} ${endpoint} ${status}: ${sayLearned({ ...one, factor: adaptiveFactor(one) })}`;
    }),
  ];
}

/** The wait before one retry, and all the time from the first failure to the end. */
function sayMeans({ retries, retried, waitedMs, retryingMs }: RetryTally): string {
  if (retries === 0 || retried === 0) return NONE;
  return `${sayDuration(waitedMs / retries)} per retry, ${sayDuration(retryingMs / retried)} per exchange`;
}
