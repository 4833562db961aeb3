import type { GenerationEvent } from "../../../kernel/index.ts";
import { runTurn, type StepWatch } from "../../../turn/index.ts";
import type { AgentEvent, AssistantMessage, Message, SessionEntry } from "../../../wire/index.ts";
import { checkSelector, selectorOf } from "../../../wire/selector.ts";
import type { AcceptedTurn } from "./accept-turn.ts";
import type { ChatParts } from "./chat-parts.ts";
import { redactedEmit } from "./redacted-emit.ts";
import type { RunningTurn, Steering } from "./running-turn.ts";
import { StoredFirst } from "./stored-first.ts";

export const INTERRUPTED = "Interrupted: the server was stopped before the answer was complete";

/**
 * Runs an accepted turn to its seal. Each message is written as soon as it is complete, and the seal is returned, not emitted: it
 * goes out once the end of the turn is stored. Never rejects.
 */
export async function runChatTurn(
  parts: ChatParts,
  turn: RunningTurn,
  { chosen, history, message, writer }: AcceptedTurn,
  publish: (event: AgentEvent) => void,
): Promise<AgentEvent> {
  const { conversationId, turnId, signal } = turn;
  const { model, provider } = checkSelector("model", chosen.model);
  const entry = parts.providers.get(provider);
  if (entry === undefined) throw new Error(`Unknown provider: ${provider}`);
  const taken: Steering[] = [];
  let seal: AgentEvent = { type: "turn-sealed", conversationId, turnId, status: "error" };
  const ordered = new StoredFirst(publish);
  const emit = redactedEmit(parts, (event) => {
    if (event.type === "turn-sealed") seal = event;
    else ordered.add(event);
  });

  const record = async (said: Message): Promise<Message> => {
    const safe = parts.redact(turn.isInterrupted ? asInterrupted(said) : said);
    const promptId = safe.role === "user" ? taken.shift()?.promptId : undefined;
    const data = promptId === undefined ? safe : { ...safe, promptId };
    // Not awaited: the next step need not wait for the disk, only the event that ends this one does.
    ordered.wrote(writer.keep({ type: "message", data } as SessionEntry));
    return safe;
  };
  const takeSteering = (): readonly string[] => {
    const ready = turn.steering.splice(0);
    taken.push(...ready);
    return ready.map(({ content }) => content);
  };

  const { status } = await runTurn({
    ...{ conversationId, turnId, history, model, signal, record, takeSteering },
    ...(message !== undefined && { message }),
    provider: entry.provider,
    ...(parts.system !== undefined && { system: parts.system }),
    ...(parts.tools !== undefined && { tools: parts.tools }),
    ports: parts.ports,
    engine: {
      policy: chosen.policy,
      targets: chosen.targets,
      providerOf: (name) => parts.providers.get(name)?.provider,
      health: parts.health,
      watch: watching(parts, turn, chosen, (change) => void writer.keep(change)),
    },
    emit,
  });
  // Said too late to be taken: it stays in the conversation and is sent with its next turn.
  turn.isSealed = true;
  for (const { promptId, content } of turn.steering.splice(0)) {
    emit({ type: "steering", conversationId, turnId, content });
    void writer.keep({ type: "message", data: { role: "user", content, promptId } });
  }
  await writer.keep({
    type: "turn_end",
    data: { turnId, status: turn.isInterrupted && status !== "done" ? "interrupted" : status },
  });
  await ordered.settled();
  return seal;
}

/** A partial answer leaves the context: the turn will be continued, and then it is given anew. */
function asInterrupted(message: Message): Message {
  if (message.role !== "assistant" || message.stopReason !== "aborted") return message;
  return { ...message, stopReason: "error", errorMessage: INTERRUPTED } satisfies AssistantMessage;
}

/** S6: each generation is written down, and a change of the model that answers is an entry of the conversation. */
function watching(
  { activity }: ChatParts,
  turn: RunningTurn,
  { model: primary, active: last, isNewModel, policyName: policy }: AcceptedTurn["chosen"],
  onChange: (entry: SessionEntry) => void,
): (toolCallId?: string) => StepWatch {
  const { conversationId, turnId, client } = turn;
  const facts = {
    door: "chat",
    conversationId,
    turnId,
    policy,
    asked: primary,
    ...(client !== undefined && { client }),
  };
  let active = isNewModel ? primary : (last ?? primary);
  const follow = (event: GenerationEvent): void => {
    if (event.type !== "attempt-start") return;
    const to = selectorOf(event.target);
    if (to === active) return;
    const reason = to === primary ? "restored" : "fallback";
    onChange({ type: "model_change", data: { from: active, to, role: "default", reason } });
    active = to;
  };
  return (toolCallId) => {
    const watch = activity.watch(facts);
    return {
      content: () => watch.content(),
      usage: (usage) => watch.usage(usage),
      on: (event, handle) => {
        turn.hear(event);
        // A call beside the conversation does not change which model leads it.
        if (toolCallId === undefined) follow(event);
        watch.on(event, handle);
      },
    };
  };
}
