import pc from "picocolors";
import type { Assembly } from "../../../src/assembly/index.ts";
import type { ConsoleInput, Ear, Said } from "../../../src/hosts/console/console-input.ts";
import { ConsoleScreen } from "../../../src/hosts/console/console-screen.ts";
import { type ConsoleOptions, runConsole } from "../../../src/hosts/console/run-console.ts";
import { MemoryHealth, type Ports } from "../../../src/kernel/index.ts";
import type { Provider } from "../../../src/providers/provider.ts";
import { VirtualWorld } from "../../../src/simulator/world/index.ts";
import { memoryStore } from "../../../src/store/index.ts";
import type { Terminal } from "../../../src/terminal/index.ts";
import { type Call, ScriptedProvider } from "../../support/scripted-provider.ts";
import { evenChance, LONG_CHAINS } from "../../support/world.ts";

/** A person, or a pipe, that says one thing after another. */
export class ScriptedInput implements ConsoleInput {
  readonly isInteractive: boolean;
  ear: Ear | undefined;
  /** How often the prompt came back. */
  prompts = 0;
  readonly #said: Said[];

  constructor(lines: readonly (string | Said)[], isInteractive = true) {
    this.isInteractive = isInteractive;
    this.#said = lines.map((line) => (typeof line === "string" ? { type: "line", text: line } : line));
  }

  async next(): Promise<Said> {
    this.prompts++;
    return this.#said.shift() ?? { type: "end" };
  }

  listen(ear: Ear | undefined): void {
    this.ear = ear;
  }

  close(): void {}
}

/** A console on virtual time, with scripted providers and everything that it printed. */
export class ConsoleWorld {
  readonly time = new VirtualWorld(LONG_CHAINS);
  readonly store = memoryStore();
  readonly providers = new Map<string, Provider>();
  out = "";
  err = "";
  /** When each piece of stderr was written. */
  readonly warnedAt: number[] = [];
  hasColours = false;
  /** Instead of virtual time, for providers that are really called. */
  ports: Ports = { ...this.time.ports, random: evenChance };
  credentialOf = (_provider: string): string => "key-1";

  provider(name: string, ...script: readonly Call[]): ScriptedProvider {
    const provider = new ScriptedProvider(name, script, this.time);
    this.providers.set(name, provider);
    return provider;
  }

  get assembly(): Assembly {
    const entries = [...this.providers].map(
      ([name, provider]) => [name, { provider, credentials: [this.credentialOf(name)] }] as const,
    );
    return {
      providers: new Map(entries),
      defaultModel: `${entries[0]?.[0]}/large`,
      store: this.store,
      redact: (value) => value,
      health: new MemoryHealth(),
      ports: this.ports,
      close: async () => undefined,
    };
  }

  /** Plays the input to its end; virtual time passes as it has to. */
  run(input: ScriptedInput, options: ConsoleOptions = {}): Promise<number> {
    return this.time.until(this.start(input, options));
  }

  start(input: ScriptedInput, options: ConsoleOptions = {}): Promise<number> {
    const screen = new ConsoleScreen(
      this.#terminal((text) => {
        this.out += text;
      }),
      this.#terminal((text) => {
        this.err += text;
        this.warnedAt.push(this.time.nowMs);
      }),
    );
    return runConsole({ conversation: "c1", ...options }, { assembly: this.assembly, screen, input });
  }

  async kept(): Promise<readonly unknown[]> {
    return (await this.store.conversations.read("c1")).map(({ data }) => data);
  }

  #terminal(write: (text: string) => void): Terminal {
    return { write, columns: 80, colours: pc.createColors(this.hasColours), isLive: true };
  }
}
