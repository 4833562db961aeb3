import { InvalidInput } from "../../../kernel/index.ts";
import type { Command } from "./command.ts";

const NAME = /^[a-z][a-z0-9-]{0,30}$/;

/** The commands of a chat. Others may be added while it runs. */
export class CommandTable {
  readonly #commands = new Map<string, Command>();

  constructor(commands: readonly Command[]) {
    for (const command of commands) this.add(command);
  }

  get all(): readonly Command[] {
    return [...this.#commands.values()];
  }

  find(name: string): Command | undefined {
    return this.#commands.get(name.toLowerCase());
  }

  /** Returns a function that removes it. Throws `InvalidInput` for a name that is invalid or taken. */
  add(command: Command): () => void {
    const { name } = command;
    if (!NAME.test(name)) throw new InvalidInput("name", name, "1 to 31 lower case letters, digits and hyphens");
    if (this.#commands.has(name)) throw new InvalidInput("name", name, "a name that no other command has");
    this.#commands.set(name, command);
    return () => void (this.#commands.get(name) === command && this.#commands.delete(name));
  }
}
