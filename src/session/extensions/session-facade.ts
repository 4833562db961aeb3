import type { AgentSession } from "../agent-session.ts";
import type { ExtensionSession } from "./extension.ts";

/** Functions that may be used without their object, and values as they are when they are read. */
export function facadeOf(session: AgentSession): ExtensionSession {
  return Object.freeze<ExtensionSession>({
    get conversationId() {
      return session.conversationId;
    },
    get model() {
      return session.model;
    },
    get messages() {
      return session.messages;
    },
    get isStreaming() {
      return session.isStreaming;
    },
    get isRetrying() {
      return session.isRetrying;
    },
    get retryAttempt() {
      return session.retryAttempt;
    },
    get autoRetryEnabled() {
      return session.autoRetryEnabled;
    },
    prompt: (text, onKept) => session.prompt(text, onKept),
    steer: (text, onKept, onRefused) => session.steer(text, onKept, onRefused),
    abort: () => session.abort(),
    abortRetry: () => session.abortRetry(),
    retryNow: () => session.retryNow(),
  });
}
