import type { ChatParts } from "../../../../src/hosts/serve/chat/chat-parts.ts";
import { ChatService } from "../../../../src/hosts/serve/chat/chat-service.ts";
import { MemoryHealth, type Policy } from "../../../../src/kernel/index.ts";
import { PRESETS } from "../../../../src/presets/presets.ts";
import type { Provider } from "../../../../src/providers/provider.ts";
import { VirtualWorld } from "../../../../src/simulator/world/index.ts";
import { memoryStore } from "../../../../src/store/index.ts";
import { type AgentEvent, readRetrySettings } from "../../../../src/wire/index.ts";
import { type Call, ScriptedProvider } from "../../../support/scripted-provider.ts";
import { evenChance, LONG_CHAINS } from "../../../support/world.ts";
import { FakeActivity } from "./fake-activity.ts";

export interface ChatWorldOptions extends Partial<ChatParts> {
  readonly keys?: readonly string[];
  readonly other?: readonly Call[];
  readonly chains?: Readonly<Record<string, readonly string[]>>;
}

/** The server's chat on virtual time, with a scripted provider `acme` and, if wanted, another one, `other`. */
export class ChatWorld {
  readonly time = new VirtualWorld(LONG_CHAINS);
  readonly activity = new FakeActivity();
  readonly store = memoryStore({ wallNow: () => this.time.ports.wallNow() });
  readonly acme: ScriptedProvider;
  readonly other: ScriptedProvider;
  readonly options: ChatWorldOptions;
  readonly own = new Map<string, Policy>();
  service: ChatService;

  constructor(script: readonly Call[], options: ChatWorldOptions = {}) {
    this.acme = new ScriptedProvider("acme", script, this.time);
    this.other = new ScriptedProvider("other", options.other ?? [], this.time);
    this.options = options;
    this.service = this.restart();
  }

  /** A new process with the same store: what ran before is forgotten. */
  restart(): ChatService {
    const { keys = ["key#1"], other, chains = {}, ...parts } = this.options;
    const entry = (provider: Provider, credentials: readonly string[]) =>
      [provider.name, { provider, credentials }] as const;
    this.service = new ChatService({
      providers: new Map([entry(this.acme, keys), ...(other === undefined ? [] : [entry(this.other, ["other#1"])])]),
      conversations: this.store.conversations,
      health: new MemoryHealth(),
      ports: { ...this.time.ports, random: evenChance },
      redact: (value) => value,
      activity: this.activity,
      defaults: async () => ({ model: "acme/large", policy: "patient" }),
      settings: async () => readRetrySettings({ fallbackChains: chains }),
      policyOf: (name) => this.own.get(name) ?? PRESETS[name]?.(),
      ...parts,
    });
    return this.service;
  }

  /** Collects what a client of this conversation hears. */
  follow(conversationId: string): Client {
    const events: AgentEvent[] = [];
    const leave = this.service.subscribe(conversationId, { hear: (event) => void events.push(event) });
    return new Client(events, leave);
  }

  /** Sends and waits for the seal. */
  async ask(message: string, conversationId = "c1"): Promise<Client> {
    const client = this.follow(conversationId);
    await this.service.send({ conversationId, message });
    await this.sealed(conversationId);
    client.leave();
    return client;
  }

  async sealed(conversationId = "c1"): Promise<void> {
    const sealed = new Promise<void>((resolve) => {
      const leave = this.service.subscribe(conversationId, {
        hear: ({ type }) => {
          if (type !== "turn-sealed") return;
          leave();
          resolve();
        },
      });
    });
    await this.time.until(sealed);
  }
}

export class Client {
  readonly events: AgentEvent[];
  readonly leave: () => void;

  constructor(events: AgentEvent[], leave: () => void) {
    this.events = events;
    this.leave = leave;
  }

  get types(): string[] {
    return this.events.map(({ type }) => type);
  }

  get text(): string {
    return this.events.map((event) => (event.type === "text-delta" ? event.text : "")).join("");
  }

  of<T extends AgentEvent["type"]>(type: T): Extract<AgentEvent, { type: T }>[] {
    return this.events.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type);
  }
}
