import type {
  LanguageModelV3FinishReason,
  LanguageModelV3Prompt,
  LanguageModelV3StreamPart,
  LanguageModelV3ToolCall,
  LanguageModelV3Usage,
  SharedV3ProviderMetadata,
} from "@ai-sdk/provider";
import { endsWithTools, judgeAnswer } from "../../adapters/ai-sdk/judge-answer.ts";
import { problemIn } from "../../adapters/ai-sdk/stream-fault.ts";
import { toolArguments } from "../../kernel/index.ts";
import type { FinishReason, ProviderEvent } from "../provider.ts";
import { type ProblemSource, toProviderError } from "../provider-problem.ts";

type ToolCallEvent = Extract<ProviderEvent, { type: "tool-call" }>;
type Finish = Extract<LanguageModelV3StreamPart, { type: "finish" }>;

const ALIVE: ProviderEvent = { type: "alive" };
const AT_WORK: ProviderEvent = { type: "alive", isProgress: true };

/** Reads the parts of one stream of the AI SDK as provider events. Lives as long as the stream. */
export class AnswerReader {
  private readonly source: ProblemSource;
  private readonly isAfterTools: boolean;
  /** Complete only once the stream has ended properly. */
  private readonly calls: LanguageModelV3ToolCall[] = [];
  private readonly signatures = new Map<string, SharedV3ProviderMetadata>();
  private hasContent = false;

  /** `prompt`: what it is an answer to. */
  constructor(source: ProblemSource, prompt: LanguageModelV3Prompt) {
    this.source = source;
    this.isAfterTools = endsWithTools(prompt);
  }

  read(part: LanguageModelV3StreamPart): readonly ProviderEvent[] {
    switch (part.type) {
      case "text-delta":
        return this.say({ type: "text", text: part.delta });
      case "reasoning-start":
        this.keep(part.id, part.providerMetadata);
        return [ALIVE];
      case "reasoning-delta":
        this.keep(part.id, part.providerMetadata);
        return this.say({ type: "reasoning", text: part.delta });
      case "reasoning-end":
        this.keep(part.id, part.providerMetadata);
        return this.close(part.id);
      case "tool-call":
        this.calls.push(part);
        return [AT_WORK];
      case "tool-input-start":
      case "tool-input-delta":
      case "tool-input-end":
        return [AT_WORK];
      case "finish":
        return this.finish(part);
      case "error":
        return [toProviderError(problemIn(part.error), this.source)];
      default:
        return [ALIVE];
    }
  }

  /** The stream is over. There was no finish: half an answer, however tidily it ended. */
  end(): ProviderEvent {
    return this.problem("stream_broken", "The stream ended without its terminal marker");
  }

  private say(event: Extract<ProviderEvent, { type: "text" | "reasoning" }>): readonly ProviderEvent[] {
    if (event.text === "") return [ALIVE];
    this.hasContent = true;
    return [event];
  }

  private keep(id: string, metadata: SharedV3ProviderMetadata | undefined): void {
    if (metadata === undefined) return;
    const merged = { ...this.signatures.get(id) };
    for (const [provider, data] of Object.entries(metadata)) merged[provider] = { ...merged[provider], ...data };
    this.signatures.set(id, merged);
  }

  private close(id: string): readonly ProviderEvent[] {
    const providerData = this.signatures.get(id);
    if (providerData === undefined) return [ALIVE];
    this.hasContent = true;
    return [{ type: "reasoning", text: "", providerData }];
  }

  private finish({ finishReason, usage }: Finish): readonly ProviderEvent[] {
    const toolInputs = this.calls.map(({ input }) => input);
    const hasContent = this.hasContent || toolInputs.length > 0;
    const { isAfterTools } = this;
    const fault = judgeAnswer({ finishReason, hasContent, toolInputs, isAfterTools });
    if (fault !== undefined) return [this.problem(fault.code, fault.message)];
    return [...this.calls.map(readCall), ...usageEvent(usage), { type: "finish", reason: reasonOf(finishReason) }];
  }

  private problem(code: string, message: string): ProviderEvent {
    return toProviderError({ code, message }, this.source);
  }
}

function reasonOf({ unified }: LanguageModelV3FinishReason): FinishReason {
  switch (unified) {
    case "tool-calls":
      return "tool-use";
    case "length":
    case "content-filter":
      return unified;
    case "stop":
    case "other":
    case "error":
      return "end";
    default:
      return unified satisfies never;
  }
}

/** Its arguments are known to be an object. */
function readCall({ toolCallId, toolName, input, providerMetadata }: LanguageModelV3ToolCall): ToolCallEvent {
  const read = toolArguments({ text: input, hasEnded: true });
  return {
    type: "tool-call",
    id: toolCallId,
    name: toolName,
    arguments: read.usable ? Object(read.value) : {},
    ...(providerMetadata !== undefined && { providerData: providerMetadata }),
  };
}

function usageEvent({ inputTokens, outputTokens }: LanguageModelV3Usage): readonly ProviderEvent[] {
  if (inputTokens.total === undefined && outputTokens.total === undefined) return [];
  return [{ type: "usage", inputTokens: inputTokens.total ?? 0, outputTokens: outputTokens.total ?? 0 }];
}
