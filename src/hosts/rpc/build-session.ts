import { MemoryHealth, type PolicyInput } from "../../kernel/index.ts";
import {
  AgentSession,
  createTools,
  type ProviderSet,
  type SessionOptions,
  type SessionParts,
} from "../../session/index.ts";
import type { Store } from "../../store/store.ts";

/** What has to be opened for a session, and closed after it. */
export interface OpenedParts {
  readonly providers: ProviderSet;
  readonly store: Store;
}

export type OpenParts = () => Promise<OpenedParts>;

export interface BuiltSession {
  readonly session: AgentSession;
  close(): Promise<void>;
}

/** The name under which the settings group `retry` is kept. */
const SETTINGS_KEY = "retry";

/** C9: off unless it is switched on. */
const BREAKER_KEY = "api_circuit_breaker";

/** The one place where a session is put together from real parts. */
export async function buildSession(open: OpenParts, options: SessionOptions): Promise<BuiltSession> {
  const { providers, store } = await open();
  const parts: SessionParts = {
    providers,
    conversations: store.conversations,
    journal: store.journal,
    settings: {
      read: () => store.config.get(SETTINGS_KEY),
      write: (settings) => store.config.set(SETTINGS_KEY, settings),
    },
    health: new MemoryHealth(),
    tools: createTools(process.cwd()),
    ...((await store.config.get(BREAKER_KEY)) === true && { policies: withBreaker(providers) }),
  };
  try {
    const session = await AgentSession.open(parts, options);
    return { session, close: () => session.close().finally(() => store.close()) };
  } catch (fault) {
    await store.close();
    throw fault;
  }
}

function withBreaker(providers: ProviderSet): Readonly<Record<string, PolicyInput>> {
  return Object.fromEntries([...providers.keys()].map((name) => [name, { breaker: {} }]));
}

/** What the command line opens: the providers whose keys are in the environment, and the store of this machine. */
export const openParts: OpenParts = () => Promise.reject(new Error("no provider is built in yet"));
