import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import headless from "@xterm/headless";
import { storedSettings } from "../../../src/assembly/stored-settings.ts";
import type { ChatParts, Clock } from "../../../src/hosts/chat/chat-parts.ts";
import { ChatController } from "../../../src/hosts/chat/controller.ts";
import { loadView } from "../../../src/hosts/chat/load-view.ts";
import { itemsOfHistory } from "../../../src/hosts/chat/state/items-of-history.ts";
import { unansweredIn } from "../../../src/hosts/chat/state/unanswered.ts";
import { RetryCounter, type SessionOptions } from "../../../src/session/index.ts";
import { readEntries } from "../../../src/session/record/context.ts";
import { memoryStore } from "../../../src/store/index.ts";
import type { Tool } from "../../../src/turn/index.ts";
import { SessionWorld } from "../../session/sessions.ts";
import { emits, says } from "../../support/scripted-provider.ts";
import { until } from "../../support/until.ts";

// Each screen adds listeners to the process, and a test file has many screens.
process.setMaxListeners(100);
const { showChat } = await loadView(process.env);

export const ESC = "\u001b";
export const ENTER = "\r";
export const DOWN = emits(503, "HTTP 503: down for a while");

type Script = Parameters<SessionWorld["provider"]>[1];

/** The real host on a virtual terminal, with virtual time and scripted providers. Tests look at the screen. */
export class ChatScreen {
  readonly world = new SessionWorld();
  readonly store = memoryStore();
  readonly exported: (readonly [path: string, text: string])[] = [];
  /** Tools of the model. */
  readonly tools: Tool[] = [];
  hasMotion = true;
  /** The sessions read their settings from the config table. */
  isStored = false;
  /** The folder that the agent reads, by path. */
  folders: Record<string, readonly { readonly name: string; readonly isFolder: boolean }[]> = {};
  /** Every byte written to the terminal. */
  bytes = "";
  chat!: ChatController;
  readonly #terminal: headless.Terminal;
  readonly #stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: () => undefined,
    ref: () => undefined,
    unref: () => undefined,
  });
  readonly #stdout: EventEmitter & { columns: number; rows: number; isTTY: boolean; write(data: string): boolean };
  readonly #ticks = new Set<() => void>();
  #shown: Promise<void> = Promise.resolve();
  #opened = 0;

  constructor(columns = 80, rows = 24) {
    this.#terminal = new headless.Terminal({ cols: columns, rows, allowProposedApi: true });
    this.#stdout = Object.assign(new EventEmitter(), {
      columns,
      rows,
      isTTY: true,
      write: (data: string) => {
        this.bytes += data;
        // A real terminal's driver does this.
        this.#terminal.write(data.replaceAll("\n", "\r\n"));
        return true;
      },
    });
  }

  /** A chat on a screen of this size, with this script for the provider acme. */
  static async start(script: Script = [says("ok")], columns = 80, rows = 24): Promise<ChatScreen> {
    const screen = new ChatScreen(columns, rows);
    screen.world.provider("acme", script);
    await screen.open();
    return screen;
  }

  async open(options: SessionOptions = {}, env: Record<string, string> = {}): Promise<void> {
    const parts = this.#parts();
    const { columns, rows } = this.#stdout;
    this.chat = new ChatController(parts, await parts.open(options), { columns, rows });
    this.#shown = showChat(this.chat, {
      stdin: this.#stdin as unknown as NodeJS.ReadStream,
      stdout: this.#stdout as unknown as NodeJS.WriteStream,
      env,
    });
    await this.shows("❯");
  }

  /** One read of the terminal. */
  send(read: string | Buffer): void {
    this.#stdin.write(read);
  }

  /** Keys, as the terminal sends them. */
  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      this.send(key);
      // The chat waits a moment after an escape, which may begin a longer key.
      await new Promise((resolve) => setTimeout(resolve, key.includes("\u001b") ? 60 : 5));
    }
  }

  /** Types a line and sends it. */
  async say(text: string): Promise<void> {
    await this.press(text, ENTER);
    await this.pass(1);
  }

  /** Advances virtual time, and the chat's own clock with it. */
  async pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 200) {
      await this.world.time.advance(Math.min(200, left));
      for (const tick of this.#ticks) tick();
    }
  }

  resize(columns: number, rows: number): void {
    Object.assign(this.#stdout, { columns, rows });
    this.#terminal.resize(columns, rows);
    this.#stdout.emit("resize");
  }

  /** The screen from top to bottom, without empty lines at the end. */
  lines(): readonly string[] {
    const { active } = this.#terminal.buffer;
    const lines = Array.from({ length: this.#terminal.rows }, (_, row) =>
      (active.getLine(active.baseY + row)?.translateToString(true) ?? "").trimEnd(),
    );
    return lines.slice(0, lines.findLastIndex((line) => line !== "") + 1);
  }

  text(): string {
    return this.lines().join("\n");
  }

  cursor(): readonly [row: number, column: number] {
    const { active } = this.#terminal.buffer;
    return [active.cursorY, active.cursorX];
  }

  async shows(text: string): Promise<void> {
    await until(() => this.text().includes(text)).catch(() => {
      throw new Error(`Not on the screen: ${text}\n${this.text()}`);
    });
  }

  async hides(text: string): Promise<void> {
    await until(() => !this.text().includes(text)).catch(() => {
      throw new Error(`Still on the screen: ${text}\n${this.text()}`);
    });
  }

  /** Resolves when the chat has left the screen. */
  get left(): Promise<void> {
    return this.#shown;
  }

  async close(): Promise<void> {
    this.chat.leave();
    await this.#shown;
    await this.world.time.until(this.chat.close());
  }

  #parts(): ChatParts {
    const { world, store } = this;
    const retries = new RetryCounter();
    const clock: Clock = {
      now: () => world.time.nowMs,
      every: (_, run) => {
        this.#ticks.add(run);
        return () => void this.#ticks.delete(run);
      },
    };
    return {
      open: async (options) => {
        const session = await world.open(
          { conversationId: `c${++this.#opened}`, ...options },
          { tools: this.tools, retries, ...(this.isStored && { settings: storedSettings(store.config) }) },
        );
        const entries = readEntries(await world.conversations.read(session.conversationId));
        return { session, items: itemsOfHistory(entries), unanswered: unansweredIn(entries) };
      },
      conversations: world.conversations,
      config: store.config,
      listKeys: async () => [],
      listLearned: async () => [],
      models: ["acme/large", "acme/small"],
      coolingFor: () => ({}),
      writeNew: async (path, text) => {
        if (this.exported.some(([other]) => other === path)) throw Object.assign(new Error(path), { code: "EEXIST" });
        this.exported.push([path, text]);
        return path;
      },
      clock,
      listFolder: async (folder) => this.folders[folder] ?? Promise.reject(new Error(`There is no "${folder}"`)),
      watchdog: { firstContentMs: 120_000, idleMs: 60_000 },
      hasMotion: this.hasMotion,
      hasMouse: true,
    };
  }
}
