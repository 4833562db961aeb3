import type {
  Failure,
  GenerationEvent,
  PacedHealth,
  Ports,
  PreparedPolicy,
  Receipt,
  Target,
  TargetEntry,
} from "../../../kernel/index.ts";
import { openModelCall } from "../../../providers/open-model-call.ts";
import type { FinishReason, Provider } from "../../../providers/provider.ts";
import { sayShortfall } from "../../../terminal/index.ts";
import type { Usage } from "../../../wire/message.ts";
import type { BatchLine } from "../input/batch-line.ts";
import { answerLine, errorLine, type ResultLine, troubleOf } from "../output/result-line.ts";

export interface AskSetup {
  readonly providerOf: (name: string) => Provider | undefined;
  readonly policy: PreparedPolicy;
  readonly health: PacedHealth;
  readonly ports: Ports;
  readonly on: (event: GenerationEvent) => void;
}

/** What a person is told of a failure. */
export type SaidFailure = Pick<Failure, "kind" | "status" | "code" | "message">;

export interface AskedLine {
  readonly result: ResultLine;
  /** Why there is no answer. */
  readonly failure?: SaidFailure;
  readonly tokens: number;
}

/** One line is one generation. Undefined: it was aborted, and is asked again in the next run. */
export async function askLine(
  { providerOf, policy, health, ports, on }: AskSetup,
  line: BatchLine,
  target: TargetEntry,
  signal: AbortSignal,
): Promise<AskedLine | undefined> {
  const { model: _model, ...request } = line.request;
  let last: Target | undefined;
  const generation = openModelCall({
    ...{ providerOf, policy, health, ports, request, signal, targets: [target] },
    // Nothing is written before the answer is whole: even one that broke off can be asked for again.
    sink: "buffered",
    on: (event) => {
      if (event.type === "attempt-start") last = event.target;
      on(event);
    },
    onHead: (asked, head) => health.noteHead(asked, head, ports.now(), ports.wallNow()),
  });
  let text = "";
  let finish: FinishReason = "end";
  let usage: Usage | undefined;
  try {
    for await (const event of generation) {
      if (event.type === "text") text += event.text;
      else if (event.type === "finish") finish = event.reason;
      else if (event.type === "usage") usage = { inputTokens: event.inputTokens, outputTokens: event.outputTokens };
    }
  } catch (thrown) {
    // The receipt has it. What is thrown although the answer is complete is a fault of our own.
    if (generation.receipt.complete) throw thrown;
  }
  if (signal.aborted && !generation.receipt.complete) return undefined;
  const { failure } = generation;
  const receipt: Receipt = generation.receipt;
  const model = last === undefined ? `${target.provider}/${target.model}` : `${last.provider}/${last.model}`;
  const known = { model, ...(usage !== undefined && { usage }), receipt };
  const tokens = usage === undefined ? 0 : usage.inputTokens + usage.outputTokens;
  if (tokens > 0 && last !== undefined) health.noteTokens(last, tokens);
  if (failure !== undefined) return { result: errorLine(line, { ...troubleOf(failure), ...known }), failure, tokens };
  if (text !== "") return { result: answerLine(line, { text, finish, ...known }), tokens };
  const error = sayShortfall({ finish, hasText: false }) ?? "No answer";
  const kind = finish === "content-filter" ? "content_filter" : "invalid_content";
  return { result: errorLine(line, { error, kind, ...known }), tokens };
}
