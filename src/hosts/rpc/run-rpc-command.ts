import type { AgentSession } from "../../session/index.ts";
import type { RpcCommand, RpcState } from "../../wire/index.ts";

/** Sends the successful response to a command. */
type Acknowledge = (data?: unknown) => void;

/** Runs a command, and acknowledges it as soon as the client can rely on it. Throws an error for the client. */
export async function runRpcCommand(
  session: AgentSession,
  command: RpcCommand,
  acknowledge: Acknowledge,
): Promise<void> {
  switch (command.type) {
    case "prompt":
      // Acknowledged when it is saved, before it is answered: events show its progress, and `agent_end` its end.
      await session.prompt(command.message, acknowledge);
      return;
    case "steer":
      return new Promise((resolve, reject) => {
        const kept = (): void => resolve(acknowledge());
        if (!session.steer(command.message, kept, reject)) throw new Error("No prompt is running");
      });
    case "abort":
      await session.abort();
      return acknowledge();
    case "abort_retry":
      return acknowledge({ cancelled: session.abortRetry() });
    case "retry_now":
      return acknowledge({ retried: session.retryNow() });
    case "get_state":
      return acknowledge(stateOf(session));
    case "get_messages":
      return acknowledge({ messages: session.messages });
    case "set_model":
      await session.setModel(command.model);
      return acknowledge();
    case "set_auto_retry":
      await session.setAutoRetryEnabled(command.enabled);
      return acknowledge();
    case "get_commands":
      return acknowledge({ commands: session.commands });
    case "run_command":
      return acknowledge({ output: await session.runCommand(command.name, command.arguments) });
    default:
      command satisfies never;
  }
}

function stateOf(session: AgentSession): RpcState {
  const { model, conversationId, isStreaming, isRetrying, retryAttempt } = session;
  const { autoRetryEnabled, autoCompactionEnabled, retryTally: retries } = session;
  const settings = { autoRetryEnabled, autoCompactionEnabled };
  return { model, conversationId, isStreaming, isRetrying, retryAttempt, ...settings, retries };
}
