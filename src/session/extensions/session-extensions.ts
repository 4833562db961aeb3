import { InvalidInput } from "../../kernel/index.ts";
import { untilAborted } from "../../turn/until-aborted.ts";
import type { SessionCore } from "../session-core.ts";
import type { ExtensionCommand, ExtensionSession } from "./extension.ts";
import { LoadedExtension, reasonOf } from "./loaded-extension.ts";

/** A slash command of an extension, as hosts list it. */
export interface CommandInfo {
  readonly name: string;
  readonly description: string;
}

/** The extensions of one session. */
export class SessionExtensions {
  readonly #core: SessionCore;
  readonly #controller = new AbortController();
  #loaded: readonly LoadedExtension[] = [];
  #commands: ReadonlyMap<string, { readonly extension: string; readonly command: ExtensionCommand }> = new Map();
  /** Warnings from before the first subscriber. */
  #unheard: string[] | undefined = [];

  constructor(core: SessionCore) {
    this.#core = core;
  }

  get commands(): readonly CommandInfo[] {
    return [...this.#commands.values()].map(({ command: { name, description } }) => ({ name, description }));
  }

  /** All at the same time, so that several that hang cost no more than one. Their tools and commands come in the given order. */
  async load(session: ExtensionSession): Promise<void> {
    const { extensions = [] } = this.#core.parts;
    if (extensions.length === 0) return;
    const { announcer, ports } = this.#core;
    const around = { announcer, ports, session, warn: (message: string) => this.#warn(message) };
    const all = extensions.map((source) => new LoadedExtension(source, around));
    const areLoaded = await Promise.all(all.map((extension) => extension.load()));
    this.#loaded = all.filter((_, index) => areLoaded[index]);
    this.#addTools();
    this.#addCommands();
  }

  /** Someone listens from now on: the warnings so far are announced. */
  heard(): void {
    const warnings = this.#unheard ?? [];
    this.#unheard = undefined;
    for (const message of warnings) this.#warn(message);
  }

  /** Runs a slash command. Rejects with a message for the user. */
  async runCommand(name: string, args: string, signal?: AbortSignal): Promise<string> {
    const found = this.#commands.get(name);
    if (found === undefined) {
      const names = [...this.#commands.keys()];
      throw new InvalidInput(
        "command",
        name,
        names.length === 0 ? "of an extension; none has any" : `one of ${names.join(", ")}`,
      );
    }
    const closing = this.#controller.signal;
    const either = signal === undefined ? closing : AbortSignal.any([closing, signal]);
    try {
      either.throwIfAborted();
      // In an async function, so that what it throws rejects.
      const run = async (): Promise<unknown> => found.command.run(args, { signal: either });
      const output = await untilAborted(run(), either);
      return this.#redact(output === undefined ? "" : String(output));
    } catch (fault) {
      const reason = either.aborted ? "cancelled" : reasonOf(fault);
      throw new Error(this.#redact(`Extension ${found.extension}: /${name}: ${reason}`));
    }
  }

  async unload(): Promise<void> {
    this.#controller.abort(new DOMException("The session is closed", "AbortError"));
    await Promise.all(this.#loaded.map((extension) => extension.unload()));
    this.#commands = new Map();
  }

  #addTools(): void {
    const tools = [...this.#core.tools];
    for (const { name: extension, tools: own } of this.#loaded) {
      for (const tool of own) {
        const { name } = tool.spec;
        if (tools.some(({ spec }) => spec.name === name)) this.#warn(taken(extension, `tool ${name}`));
        else tools.push(tool);
      }
    }
    this.#core.tools = tools;
  }

  #addCommands(): void {
    const { commandNames = [] } = this.#core.parts;
    const commands = new Map<string, { readonly extension: string; readonly command: ExtensionCommand }>();
    for (const { name: extension, commands: own } of this.#loaded) {
      for (const command of own) {
        const { name } = command;
        if (commands.has(name) || commandNames.includes(name)) this.#warn(taken(extension, `command /${name}`));
        else commands.set(name, { extension, command });
      }
    }
    this.#commands = commands;
  }

  #warn(message: string): void {
    if (this.#unheard !== undefined) this.#unheard.push(message);
    else this.#core.recorder.announce({ type: "warning", code: "extension", message });
  }

  #redact(text: string): string {
    return this.#core.parts.redact?.(text) ?? text;
  }
}

function taken(extension: string, what: string): string {
  return `Extension ${extension}: its ${what} was skipped: the name is taken`;
}
