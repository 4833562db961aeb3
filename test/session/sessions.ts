import { MemoryHealth } from "../../src/kernel/index.ts";
import { AgentSession, type SessionOptions, type SessionParts } from "../../src/session/index.ts";
import { VirtualWorld } from "../../src/simulator/world/index.ts";
import type { RetrySettings, SessionEvent } from "../../src/wire/index.ts";
import { MapConversations } from "../support/map-store.ts";
import { type Call, ScriptedProvider } from "../support/scripted-provider.ts";
import { evenChance, LONG_CHAINS } from "../support/world.ts";

/** Sessions on virtual time, with scripted providers and a log of all that was told. */
export class SessionWorld {
  readonly time = new VirtualWorld(LONG_CHAINS);
  readonly conversations = new MapConversations();
  readonly health = new MemoryHealth();
  readonly events: SessionEvent[] = [];
  /** When each event was told. */
  readonly toldAt: number[] = [];
  readonly providers = new Map<string, ScriptedProvider>();
  /** What was written as settings. */
  readonly written: Partial<RetrySettings>[] = [];
  settings: unknown = {};
  readonly #credentials = new Map<string, readonly string[]>();

  provider(name: string, script: readonly Call[], credentials: readonly string[] = ["key-1"]): ScriptedProvider {
    const provider = new ScriptedProvider(name, script, this.time);
    this.providers.set(name, provider);
    this.#credentials.set(name, credentials);
    return provider;
  }

  parts(changes: Partial<SessionParts> = {}): SessionParts {
    return {
      providers: new Map(
        [...this.providers].map(([name, provider]) => [
          name,
          { provider, credentials: this.#credentials.get(name) ?? [] },
        ]),
      ),
      conversations: this.conversations,
      settings: {
        read: async () => this.settings,
        write: async (settings) => void this.written.push(settings),
      },
      health: this.health,
      ports: { ...this.time.ports, random: evenChance },
      ...changes,
    };
  }

  async open(options: SessionOptions = {}, changes: Partial<SessionParts> = {}): Promise<AgentSession> {
    const session = await AgentSession.open(this.parts(changes), {
      model: "acme/large",
      conversationId: "c1",
      ...options,
    });
    session.subscribe((event) => {
      this.events.push(event);
      this.toldAt.push(this.time.nowMs);
    });
    return session;
  }

  types(): string[] {
    return this.events.map(({ type }) => type);
  }

  event<T extends SessionEvent["type"]>(type: T): Extract<SessionEvent, { type: T }>[] {
    return this.events.filter((event): event is Extract<SessionEvent, { type: T }> => event.type === type);
  }

  /** Only what S7 is about. */
  retries(): SessionEvent[] {
    return this.events.filter(({ type }) => type.startsWith("auto_retry") || type.startsWith("retry_fallback"));
  }

  kept(type?: string): readonly { readonly type: string; readonly data: unknown }[] {
    return this.conversations.kept("c1").filter((entry) => type === undefined || entry.type === type);
  }
}
