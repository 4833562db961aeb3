import { sayDuration } from "../../../terminal/index.ts";
import { sayCount } from "../layout/layout-status.ts";
import { type ChatState, healthOf } from "../state/chat-state.ts";
import { meanRetryMs, successRate } from "../state/metrics.ts";

/** C7: what `/info` shows. */
export function sayInfo(state: ChatState, isAutoRetry: boolean): string {
  const { metrics, tokens } = state;
  const rate = successRate(metrics);
  const mean = meanRetryMs(metrics);
  const { good, failed, cancelled } = metrics;
  const health = healthOf(state).map(({ name, state: how, forMs }) =>
    how === "cooling" ? `${name} rests ${sayDuration(forMs)}` : `${name} ${how}`,
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
    `- Retries: ${metrics.retries}`,
    `- Success after retry: ${rate === undefined ? "none ended yet" : `${Math.round(rate * 100)} % (${good} of ${good + failed})`}`,
    ...(cancelled > 0 ? [`- Cancelled: ${cancelled}`] : []),
    `- Mean retry time: ${mean === undefined ? "none ended yet" : sayDuration(mean)}`,
    ...Object.entries(metrics.byStatus).map(
      ([status, { retries, good: worked }]) =>
        `- ${status === "none" ? "Without a status" : `Status ${status}`}: ${retries} ${retries === 1 ? "retry" : "retries"}, ${worked} worked`,
    ),
  ].join("\n");
}
