import { type Assembly, sharedParts } from "../../assembly/index.ts";
import { AgentSession, type SessionOptions } from "../../session/index.ts";
import { sayShortfall } from "../../terminal/index.ts";
import type { AssistantMessage, SessionEvent } from "../../wire/index.ts";
import { COMMAND_NAMES } from "./commands.ts";
import { type ConsoleConfig, DEFAULT_CONFIG, type ProviderRetries, readConsoleConfig } from "./console-policy.ts";
import type { ConsoleScreen } from "./console-screen.ts";
import { RetryWarnings } from "./retry-warning.ts";

/** The console's session, printed line by line. */
export class Talk {
  readonly assembly: Assembly;
  readonly screen: ConsoleScreen;
  readonly session: AgentSession;
  /** The answer of the exchange under way. */
  answer: AssistantMessage | undefined;
  readonly #settings: { config: ConsoleConfig };
  readonly #warnings = new RetryWarnings();
  #isUnsaved = false;

  private constructor(parts: Pick<Talk, "assembly" | "screen" | "session">, settings: { config: ConsoleConfig }) {
    this.assembly = parts.assembly;
    this.screen = parts.screen;
    this.session = parts.session;
    this.#settings = settings;
    this.session.subscribe((event) => this.#hear(event));
  }

  static async open(assembly: Assembly, screen: ConsoleScreen, options: SessionOptions): Promise<Talk> {
    const settings = { config: DEFAULT_CONFIG };
    const session = await AgentSession.open(
      {
        ...sharedParts(assembly),
        commandNames: COMMAND_NAMES,
        // C1: the retries are the console's own, without fallback.
        settings: { read: async () => ({}), write: async () => undefined },
        policy: (_, provider) => settings.config.retriesFor(provider).policy,
        experience: assembly.store.experience,
        isAdaptive: (provider) => settings.config.retriesFor(provider).isAdaptive,
        // There are no tools here: a call that can't be run, like an answer without text, does not count as an answer.
        shortfallOf: (answer) => (answer.hasText && answer.finish !== "tool-use" ? undefined : sayShortfall(answer)),
      },
      // What a line printer has printed stays printed.
      { ...options, sink: "committed", autoCompaction: false },
    );
    const talk = new Talk({ assembly, screen, session }, settings);
    // Warnings from loading the extensions come before the first prompt.
    await session.whenIdle();
    return talk;
  }

  /** C10: the settings of a provider, as the last exchange had them. */
  retriesFor(provider: string): ProviderRetries {
    return this.#settings.config.retriesFor(provider);
  }

  /** C5: `/config` counts from the next exchange on. */
  async readConfig(): Promise<void> {
    const { store, ports } = this.assembly;
    this.#settings.config = await readConsoleConfig(store.config, ports);
  }

  #hear(event: SessionEvent): void {
    const { screen } = this;
    const { config } = this.#settings;
    switch (event.type) {
      case "agent_start":
        this.answer = undefined;
        return;
      case "message_delta":
        if (event.kind === "text") screen.answer(event.delta);
        return;
      case "message_end":
        if (event.message.role === "assistant") this.answer = event.message;
        return;
      case "auto_retry_start": {
        const { longestMs } = config.retriesFor(event.provider ?? "");
        const lines = this.#warnings.hear(event, longestMs);
        if (config.showsWarnings) screen.warn(lines);
        return;
      }
      case "warning":
        if (event.code !== "not_saved") return screen.warn([event.message]);
        if (!this.#isUnsaved) screen.warn(["This conversation can't be saved; it continues in memory"]);
        this.#isUnsaved = true;
        return;
      default:
    }
  }
}
