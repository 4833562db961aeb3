import { InvalidInput, MAX_DELAY_MS } from "../../kernel/index.ts";
import type { Message, RpcCommand, RpcOutput, RpcResponse, RpcState, SessionEvent } from "../../wire/index.ts";
import { splitLines } from "../../wire/split-lines.ts";
import { type ProgramOptions, startProgram } from "./start-program.ts";

/** A connection to a session. */
export interface RpcTransport {
  /** Decoded text in chunks. */
  readonly incoming: AsyncIterable<unknown>;
  send(line: string): void;
  /** Ends the input of the session. Resolves when the session has ended. */
  close(): Promise<void>;
  /** Resolves when the session has ended, with the reason in words. Optional. */
  whyEnded?(): Promise<string>;
}

export type RpcListener = (event: SessionEvent) => void;

type CommandBody = RpcCommand extends infer C ? (C extends RpcCommand ? Omit<C, "id"> : never) : never;

interface Pending {
  readonly resolve: (response: RpcResponse) => void;
  readonly reject: (fault: Error) => void;
}

const MOST_LINE_CHARS = 64 * 1024 * 1024;
const START_TIMEOUT_MS = 30_000;
/** Its output has ended: the process itself should follow. */
const END_WITHIN_MS = 1000;
const MOST_QUOTED_CHARS = 200;
/** Lines of our own program begin like this. Other programs may order the fields differently. */
const BEGINS_AS_EVENT = /^\s*\{\s*"type"\s*:\s*"(?!response")/;
const BEGINS_WITH_ID = /^\s*\{\s*"id"\s*:\s*"(c\d+)"/;

/** A session in another process. Every method sends a command, and rejects if it fails. */
export class RpcClient {
  readonly #transport: RpcTransport;
  readonly #pending = new Map<string, Pending>();
  readonly #listeners = new Set<{ readonly hear: RpcListener }>();
  readonly #ended: Promise<void>;
  #isEnded = false;
  #whyEnded = "";
  /** The first line that is no output of a session. */
  #strange: string | undefined;
  #ids = 0;

  constructor(transport: RpcTransport) {
    this.#transport = transport;
    this.#ended = this.#listen()
      .catch(() => undefined)
      .then(() => this.#end());
  }

  /** Starts `secondwind rpc` in a child process. Resolves when it takes commands; rejects with the reason if it can't start. */
  static async start(options: ProgramOptions = {}): Promise<RpcClient> {
    const { startTimeoutMs = START_TIMEOUT_MS } = options;
    if (!(startTimeoutMs > 0 && startTimeoutMs <= MAX_DELAY_MS)) {
      throw new InvalidInput("startTimeoutMs", startTimeoutMs, `a number from 1 to ${MAX_DELAY_MS}`);
    }
    const program = startProgram(options);
    const client = new RpcClient(program);
    const timeout = setTimeout(() => program.kill(), startTimeoutMs);
    const startedAt = performance.now();
    try {
      await client.getState();
    } catch (fault) {
      // If it still runs, it has refused the first command: how we end it is no reason.
      const why = client.#isEnded ? client.#whyEnded : "";
      program.kill();
      await client.#ended;
      const isLate = performance.now() - startedAt >= startTimeoutMs;
      const reason = isLate ? `no response within ${startTimeoutMs} ms` : why || (fault as Error).message;
      const seen = client.#strange === undefined ? "" : `. Its output is no RPC line: ${client.#strange}`;
      throw new Error(`The RPC program could not start (${reason})${seen}`);
    } finally {
      clearTimeout(timeout);
    }
    program.showErrors();
    return client;
  }

  /** Calls `listener` for every event from now on. Returns a function that ends the subscription. */
  subscribe(listener: RpcListener): () => void {
    const subscription = { hear: listener };
    this.#listeners.add(subscription);
    return () => void this.#listeners.delete(subscription);
  }

  /** Resolves when the prompt is stored; the event `agent_end` marks its end. */
  async prompt(message: string): Promise<void> {
    await this.#send({ type: "prompt", message });
  }

  /** Resolves when the message is stored. The agent reads it after the current step; a `warning` reports if it does not. */
  async steer(message: string): Promise<void> {
    await this.#send({ type: "steer", message });
  }

  /** Resolves when the running prompt has ended. */
  async abort(): Promise<void> {
    await this.#send({ type: "abort" });
  }

  /** Returns whether a retry was cancelled. */
  async abortRetry(): Promise<boolean> {
    const { cancelled } = await this.#send<{ readonly cancelled: boolean }>({ type: "abort_retry" });
    return cancelled;
  }

  /** Returns whether a wait was ended. */
  async retryNow(): Promise<boolean> {
    const { retried } = await this.#send<{ readonly retried: boolean }>({ type: "retry_now" });
    return retried;
  }

  async getState(): Promise<RpcState> {
    return this.#send<RpcState>({ type: "get_state" });
  }

  async getMessages(): Promise<readonly Message[]> {
    const { messages } = await this.#send<{ readonly messages: readonly Message[] }>({ type: "get_messages" });
    return messages;
  }

  async setModel(model: string): Promise<void> {
    await this.#send({ type: "set_model", model });
  }

  async setAutoRetry(enabled: boolean): Promise<void> {
    await this.#send({ type: "set_auto_retry", enabled });
  }

  /** The slash commands of the extensions. */
  async getCommands(): Promise<readonly { readonly name: string; readonly description: string }[]> {
    const { commands } = await this.#send<{
      readonly commands: readonly { readonly name: string; readonly description: string }[];
    }>({ type: "get_commands" });
    return commands;
  }

  /** Runs a slash command of an extension. Returns what to show to the user; may be empty. */
  async runCommand(name: string, args = ""): Promise<string> {
    const { output } = await this.#send<{ readonly output: string }>({ type: "run_command", name, arguments: args });
    return output;
  }

  /** Accepted prompts are still answered. Resolves when the session has ended. */
  async close(): Promise<void> {
    await this.#transport.close();
    await this.#ended;
  }

  /** The data of the response: the session is our own program, so its lines are not checked field by field. */
  async #send<T>(command: CommandBody): Promise<T> {
    if (this.#isEnded) throw new Error(`The session has ended${this.#because()}`);
    const id = `c${++this.#ids}`;
    const response = await new Promise<RpcResponse>((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#transport.send(`${JSON.stringify({ id, ...command })}\n`);
    });
    if (!response.success) throw new Error(response.error ?? `${response.command} failed`);
    return response.data as T;
  }

  async #listen(): Promise<void> {
    for await (const lines of splitLines(this.#transport.incoming, MOST_LINE_CHARS)) {
      for (const { text, isTooLong } of lines) {
        if (isTooLong) this.#skip(text);
        else this.#hear(text);
      }
    }
  }

  /** A line that is too long. If it may be a response, rejects the commands that it may belong to: they must not wait forever. */
  #skip(beginning: string): void {
    if (BEGINS_AS_EVENT.test(beginning)) return;
    const id = BEGINS_WITH_ID.exec(beginning)?.[1];
    const isKnown = id !== undefined && this.#pending.has(id);
    const what = isKnown ? "Response skipped" : "A line, perhaps the response, was skipped";
    for (const [each, { reject }] of this.#pending) {
      if (isKnown && each !== id) continue;
      this.#pending.delete(each);
      reject(new Error(`${what}: longer than ${MOST_LINE_CHARS} characters`));
    }
  }

  /** Ignores lines that are no output of a session. Events that are new to this version are passed on. */
  #hear(line: string): void {
    const output = parseOutput(line);
    if (output === undefined) {
      this.#strange ??= JSON.stringify(line.slice(0, MOST_QUOTED_CHARS));
      return;
    }
    if (output.type === "response") return this.#settle(output);
    for (const { hear } of this.#listeners) {
      try {
        const heard: unknown = hear(output);
        if (heard instanceof Promise) heard.catch(() => undefined);
      } catch {
        // A failing listener must not affect the others.
      }
    }
  }

  #settle(response: RpcResponse): void {
    const id = String(response.id);
    this.#pending.get(id)?.resolve(response);
    this.#pending.delete(id);
  }

  async #end(): Promise<void> {
    this.#isEnded = true;
    this.#whyEnded = (await soon(this.#transport.whyEnded?.())) ?? "";
    const message = `The session ended before it responded${this.#because()}`;
    for (const { reject } of this.#pending.values()) reject(new Error(message));
    this.#pending.clear();
  }

  #because(): string {
    return this.#whyEnded === "" ? "" : ` (${this.#whyEnded})`;
  }
}

async function soon<T>(work: Promise<T> | undefined): Promise<T | undefined> {
  if (work === undefined) return undefined;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), END_WITHIN_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function parseOutput(line: string): RpcOutput | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const isOutput = typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
    return isOutput ? (value as RpcOutput) : undefined;
  } catch {
    return undefined;
  }
}
