import type { PromptResult } from "../../session/index.ts";
import { isHealth, sayFailure, sayMessage, sayShortfall } from "../../terminal/index.ts";
import type { AssistantMessage } from "../../wire/index.ts";
import type { ConsoleInput } from "./console-input.ts";
import type { Talk } from "./talk.ts";

export type ExchangeEnd = "answered" | "failed" | "cancelled";

/** One question and its answer. Never rejects for a failure of the provider. */
export async function runExchange(talk: Talk, text: string, input: ConsoleInput): Promise<ExchangeEnd> {
  const { session, screen, assembly } = talk;
  let isCancelled = false;
  input.listen({
    interrupt: () => {
      isCancelled = true;
      void session.abort();
    },
    // B8: Enter ends the wait. What is typed ahead is for later, and an empty line of a pipe is only an empty line.
    line: (typed) => input.isInteractive && typed.trim() === "" && (session.retryNow() || !session.isStreaming),
  });
  try {
    await talk.readConfig();
    const answered = session.prompt(text);
    if (isCancelled) void session.abort();
    const result = assembly.redact(await answered);
    screen.endAnswer();
    return tellEnd(talk, result);
  } finally {
    input.listen(undefined);
  }
}

function tellEnd({ screen, answer }: Talk, { status, error = "", failure }: PromptResult): ExchangeEnd {
  const hasText = answer !== undefined && hasTextIn(answer);
  if (status === "aborted") {
    screen.warn(["Cancelled"]);
    return "cancelled";
  }
  if (status === "error" && failure !== undefined) {
    const what = isHealth(failure) ? "" : `API request failed (${sayFailure(failure)}): `;
    screen.error(`${what}${sayMessage(failure.message)}${hasText ? " (the answer is cut)" : ""}`);
    return "failed";
  }
  const shortfall = status === "error" ? error : answer && sayShortfall({ finish: finishOf(answer), hasText });
  if (shortfall === undefined) return "answered";
  screen.warn([shortfall]);
  return "failed";
}

function hasTextIn({ parts }: AssistantMessage): boolean {
  return parts.some((part) => part.type === "text" && part.text !== "");
}

function finishOf({ stopReason }: AssistantMessage): "end" | "tool-use" | "length" | "content-filter" {
  return stopReason === "error" || stopReason === "aborted" ? "end" : stopReason;
}
