import { InvalidInput, type Ports, show } from "../../kernel/index.ts";
import type { Tool } from "../../turn/index.ts";
import { isSessionEventType, SESSION_EVENT_TYPES, type SessionEvent } from "../../wire/index.ts";
import type { Announcer } from "../record/announcer.ts";
import { checkCommand, checkRun, checkTool } from "./check-extension.ts";
import type { Extension, ExtensionApi, ExtensionCommand, ExtensionSession, ExtensionSource } from "./extension.ts";
import { within } from "./within.ts";

/** Of the import and the function together. */
const LOAD_LIMIT_MS = 5000;
const UNLOAD_LIMIT_MS = 2000;
const MOST_FAULTS = 3;

interface Surroundings {
  readonly announcer: Announcer;
  readonly ports: Ports;
  readonly session: ExtensionSession;
  /** Shows a message of the extension, or about it, to the user. */
  readonly warn: (message: string) => void;
}

/** One extension of one session. Whatever it does, only a warning reaches the session. */
export class LoadedExtension {
  readonly name: string;
  readonly tools: Tool[] = [];
  readonly commands: ExtensionCommand[] = [];
  readonly #source: ExtensionSource;
  readonly #around: Surroundings;
  readonly #leave = new Set<() => void>();
  #state: "loading" | "loaded" | "unloaded" = "loading";
  #unload: (() => unknown) | undefined;

  constructor(source: ExtensionSource, around: Surroundings) {
    this.name = source.name;
    this.#source = source;
    this.#around = around;
  }

  /** Returns whether the extension is in use. If not, a warning names it and the reason. */
  async load(): Promise<boolean> {
    const leave = this.#source.onStrayFault?.((fault) => this.#report("", fault));
    if (leave !== undefined) this.#leave.add(leave);
    const running = this.#run();
    try {
      const unload: unknown = await within(this.#around.ports, LOAD_LIMIT_MS, running);
      if (unload !== undefined) checkRun("the result of its function", unload);
      this.#unload = unload as (() => unknown) | undefined;
      this.#state = "loaded";
      return true;
    } catch (fault) {
      this.#end();
      // If it was only slow: what it has begun still ends.
      running.then((late) => typeof late === "function" && late()).catch(() => undefined);
      this.#around.warn(`Extension ${this.name} was not loaded: ${reasonOf(fault)}`);
      return false;
    }
  }

  /** Removes its listeners and calls the function that it has returned, for a limited time. */
  async unload(): Promise<void> {
    if (this.#state === "unloaded") return;
    this.#end();
    const unload = this.#unload;
    if (unload === undefined) return;
    try {
      await within(
        this.#around.ports,
        UNLOAD_LIMIT_MS,
        (async () => {
          await unload();
        })(),
      );
    } catch (fault) {
      this.#report("unload", fault);
    }
  }

  async #run(): Promise<unknown> {
    const extension = await this.#source.open();
    checkRun("its default export", extension);
    // Too late: it was given up while its module was loading.
    if (this.#state !== "loading") return undefined;
    return (extension as Extension)(this.#api());
  }

  #api(): ExtensionApi {
    const { session, warn } = this.#around;
    return Object.freeze<ExtensionApi>({
      name: this.name,
      session,
      on: (type, listener) => this.#listen(type, listener as (event: SessionEvent) => unknown),
      addTool: (tool) => void this.#whileLoading("addTool", () => this.tools.push(checkTool(tool))),
      addCommand: (command) => void this.#whileLoading("addCommand", () => this.commands.push(checkCommand(command))),
      warn: (message) => {
        if (this.#state !== "unloaded") warn(`${this.name}: ${String(message)}`);
      },
    });
  }

  #whileLoading(what: string, work: () => void): void {
    if (this.#state !== "loading") throw new Error(`${what} works only while the extension loads`);
    work();
  }

  #listen(type: string, listener: (event: SessionEvent) => unknown): () => void {
    if (!isSessionEventType(type)) throw new InvalidInput("event", type, `one of ${SESSION_EVENT_TYPES.join(", ")}`);
    checkRun("listener", listener);
    if (this.#state === "unloaded") throw new Error("The extension is unloaded");
    let faults = 0;
    const fail = (fault: unknown): void => {
      this.#report(`listener of ${type}`, fault);
      if (++faults !== MOST_FAULTS) return;
      leave();
      this.#around.warn(`Extension ${this.name}: its listener of ${type} was removed after ${MOST_FAULTS} faults`);
    };
    const unsubscribe = this.#around.announcer.subscribe((event) => {
      if (event.type !== type) return;
      try {
        const result = listener(event);
        // Not awaited: a listener that hangs delays nothing.
        if (result instanceof Promise) result.catch(fail);
      } catch (fault) {
        fail(fault);
      }
    });
    const leave = (): void => {
      unsubscribe();
      this.#leave.delete(leave);
    };
    this.#leave.add(leave);
    return leave;
  }

  #report(where: string, fault: unknown): void {
    this.#around.warn(`Extension ${this.name}: ${where === "" ? "" : `${where}: `}${reasonOf(fault)}`);
  }

  #end(): void {
    this.#state = "unloaded";
    for (const leave of this.#leave) leave();
    this.#leave.clear();
  }
}

/** Anything may be thrown, even something whose message can't be read. */
export function reasonOf(fault: unknown): string {
  try {
    if (fault instanceof Error && fault.message !== "") return String(fault.message);
    return typeof fault === "string" ? fault : show(fault);
  } catch {
    return "an error that can't be read";
  }
}
