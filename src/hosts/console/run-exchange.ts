import type { Failure, GenerationEvent, StreamGeneration } from "../../kernel/index.ts";
import { type ModelEvent, verbatimOf } from "../../providers/index.ts";
import { keepJournal } from "../../session/keep-journal.ts";
import { sayFailure, sayMessage, sayShortfall } from "../../terminal/index.ts";
import { AssistantDraft } from "../../turn/index.ts";
import type { ConsoleInput } from "./console-input.ts";
import { type ConsoleConfig, readConsoleConfig } from "./console-policy.ts";
import { openExchange } from "./exchange.ts";
import { isOurOwn, retryWarning } from "./retry-warning.ts";
import type { Talk } from "./talk.ts";

export type ExchangeEnd = "answered" | "failed" | "cancelled";

/** Carries one question to its answer, and keeps both. Never rejects for a failure of the provider's. */
export async function runExchange(talk: Talk, text: string, input: ConsoleInput): Promise<ExchangeEnd> {
  const { assembly, conversation, screen } = talk;
  let isCancelled = false;
  let generation: StreamGeneration<ModelEvent> | undefined;
  input.listen({
    interrupt: () => {
      isCancelled = true;
      generation?.giveUp();
    },
    // B8: Enter ends the wait. What is typed ahead is for later, and an empty line of a pipe is only an empty line.
    line: (said) => input.isInteractive && said.trim() === "" && (generation?.retryNow() ?? true),
  });
  const draft = new AssistantDraft(talk.model);
  try {
    await conversation.add({ role: "user", content: text });
    const config = await readConsoleConfig(assembly.store.config, assembly.ports);
    generation = openExchange({
      ...{ assembly, config, model: talk.model, messages: conversation.messages },
      ...(config.isAdaptive && { experience: await talk.experience() }),
      on: listenerOf(talk, config),
    });
    if (isCancelled) generation.giveUp();
    for await (const event of generation) {
      draft.add(event);
      if (event.type === "text") screen.answer(assembly.redact(event.text));
    }
    screen.endAnswer();
    const shortfall = sayShortfall({ finish: draft.finishReason, hasText: draft.text !== "" });
    await conversation.add(messageOf(draft, shortfall));
    if (shortfall === undefined) return "answered";
    screen.warn([shortfall]);
    return "failed";
  } catch (thrown) {
    screen.endAnswer();
    const { failure } = generation ?? {};
    await conversation.add(brokenOff(draft, sayEnd(thrown, failure, isCancelled)));
    if (isCancelled) screen.warn(["Cancelled"]);
    else
      screen.error(`${sayFinal(thrown, failure, assembly.redact)}${draft.text === "" ? "" : " (the answer is cut)"}`);
    return isCancelled ? "cancelled" : "failed";
  } finally {
    input.listen(undefined);
  }
}

/** Everyone who hears of one exchange. */
function listenerOf({ assembly, conversation, metrics, screen }: Talk, config: ConsoleConfig) {
  const { store, ports } = assembly;
  const count = metrics.watch();
  const write = keepJournal({ journal: store.journal, conversationId: conversation.id, ports });
  let rateLimits = 0;
  return (event: GenerationEvent): void => {
    count(event);
    write(event);
    if (event.type === "attempt-end") rateLimits = event.failure?.status === 429 ? rateLimits + 1 : 0;
    if (event.type !== "wait-start" || !config.showsWarnings) return;
    screen.warn(retryWarning({ wait: event, rateLimits, longestMs: config.longestMs }));
  };
}

/** What is kept of an answer that came to its end. A tool that was called was never run: nobody may be told of the call. */
function messageOf(draft: AssistantDraft, shortfall: string | undefined): ReturnType<AssistantDraft["finish"]> {
  const isUsable = draft.text !== "" && draft.finishReason !== "tool-use";
  return shortfall === undefined || isUsable ? draft.finish() : brokenOff(draft, shortfall);
}

/** C4: kept as failed. Only where something was said before the break does it stay in what the model is told. */
function brokenOff(draft: AssistantDraft, said: string): ReturnType<AssistantDraft["breakOff"]> {
  return draft.text === "" ? draft.breakOff("error", said) : draft.breakOff("aborted", said);
}

function sayEnd(thrown: unknown, failure: Failure | undefined, isCancelled: boolean): string {
  const said = failure === undefined ? String(thrown) : verbatimOf(failure);
  return isCancelled ? `Cancelled: ${said}` : said;
}

function sayFinal(thrown: unknown, failure: Failure | undefined, redact: (text: string) => string): string {
  if (failure === undefined) return sayMessage(redact(String(thrown)));
  if (isOurOwn(failure)) return sayMessage(failure.message);
  return `API request failed (${sayFailure(failure)}): ${sayMessage(redact(failure.message))}`;
}
