import type { AgentSession } from "../../session/index.ts";
import type { RpcCommand, RpcState } from "../../wire/index.ts";

/** Does what a command says and answers the data of its response. Throws what the client is to be told. */
export async function carryOut(session: AgentSession, command: RpcCommand): Promise<unknown> {
  switch (command.type) {
    case "prompt":
      // Acknowledged at once: how it goes is told by events, and its end by `agent_end`.
      session.prompt(command.message).catch(() => undefined);
      return undefined;
    case "steer":
      if (!session.steer(command.message)) throw new Error("Nothing is under way that could be steered");
      return undefined;
    case "abort":
      await session.abort();
      return undefined;
    case "abort_retry":
      return { cancelled: session.abortRetry() };
    case "retry_now":
      return { retried: session.retryNow() };
    case "get_state":
      return stateOf(session);
    case "get_messages":
      return { messages: session.messages };
    case "set_model":
      await session.setModel(command.model);
      return undefined;
    case "set_auto_retry":
      await session.setAutoRetryEnabled(command.enabled);
      return undefined;
    default:
      return command satisfies never;
  }
}

function stateOf(session: AgentSession): RpcState {
  const { model, conversationId, isStreaming, isRetrying, retryAttempt } = session;
  const { autoRetryEnabled, autoCompactionEnabled } = session;
  return { model, conversationId, isStreaming, isRetrying, retryAttempt, autoRetryEnabled, autoCompactionEnabled };
}
