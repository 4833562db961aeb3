import { sayDuration } from "../../../terminal/index.ts";
import { sayCount } from "../layout/layout-status.ts";
import { type ChatState, healthOf } from "../state/chat-state.ts";
import { type Metrics, retriesMade } from "../state/metrics.ts";

const NONE = "none ended yet";

/** C7: what `/info` shows. */
export function sayInfo(state: ChatState, isAutoRetry: boolean): string {
  const { metrics, tokens } = state;
  const { retried, good, cancelled } = metrics;
  const health = healthOf(state).map(({ name, state: how, forMs }) =>
    how === "cooling" ? `${name} cooling ${sayDuration(forMs)}` : `${name} ${how}`,
  );
  return [
    "## This conversation",
    "",
    `- Id: ${state.conversationId}`,
    `- Model: ${state.model}`,
    `- Tokens: ${sayCount(tokens.input)} in, ${sayCount(tokens.output)} out`,
    `- Providers: ${health.length === 0 ? "not asked yet" : health.join(", ")}`,
    "",
    "## Retries since the chat was opened",
    "",
    `- Automatic: ${isAutoRetry ? "on" : "off"}`,
    `- Retries: ${retriesMade(metrics, state.nowMs)}`,
    `- Success after retry: ${retried === 0 ? NONE : `${Math.round((100 * good) / retried)} % (${good} of ${retried})`}`,
    ...(cancelled > 0 ? [`- Cancelled: ${cancelled}`] : []),
    `- Mean retry time: ${sayMeans(metrics)}`,
    ...[...metrics.byStatus].map(
      ([status, { retries, good: worked }]) =>
        `- ${status === "none" ? "Without a status" : `Status ${status}`}: ${retries} ${retries === 1 ? "retry" : "retries"}, ${worked} worked`,
    ),
  ].join("\n");
}

/** The wait before one retry, and all the time from the first failure to the end. */
function sayMeans({ retries, retried, waitedMs, retryingMs }: Metrics): string {
  if (retries === 0 || retried === 0) return NONE;
  return `${sayDuration(waitedMs / retries)} a retry, ${sayDuration(retryingMs / retried)} an exchange`;
}
