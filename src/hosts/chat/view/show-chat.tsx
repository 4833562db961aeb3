import { render } from "ink";
import type { ChatController } from "../controller.ts";
import { App } from "./app.tsx";
import { Painter } from "./painter.ts";
import { themeFor } from "./theme.ts";

export interface Stage {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly env: Readonly<Record<string, string | undefined>>;
}

// The alternate screen, as editors use it: on exit the terminal shows its earlier content again. And bracketed paste, so that a
// line end in pasted text does not send.
const ENTER = "\u001b[?1049h\u001b[?2004h\u001b[2J\u001b[H";
const EXIT = "\u001b[?2004l\u001b[?1049l";
// Kitty's keyboard protocol, which distinguishes Shift+Enter from Enter. Ink would query the terminal first, and reads keys pressed
// meanwhile twice.
const BETTER_KEYS = ["\u001b[>1u", "\u001b[<u"] as const;

/** Shows a chat until the user quits. Restores the terminal, whatever ends the process. */
export async function showChat(chat: ChatController, stage: Stage): Promise<void> {
  const { stdout, env } = stage;
  const [better, asBefore] = knowsBetterKeys(env) ? BETTER_KEYS : ["", ""];
  const restore = (): void => void stdout.write(asBefore + EXIT);
  process.once("exit", restore);
  stdout.write(ENTER + better);
  try {
    await paintUntilLeft(chat, stage);
  } finally {
    // Before any error is printed: on the alternate screen it would disappear.
    restore();
    process.off("exit", restore);
  }
}

async function paintUntilLeft(chat: ChatController, { stdin, stdout, env }: Stage): Promise<void> {
  const painter = new Painter((text) => void stdout.write(text));
  const app = render(<App chat={chat} theme={themeFor(env)} painter={painter} />, {
    stdin,
    stdout: canvas(painter),
    exitOnCtrlC: false,
    patchConsole: false,
    // Each frame as it is: Ink itself would erase and write the whole screen for every frame, also for one step of a spinner.
    debug: true,
  });
  const paint = (): void => {
    painter.forget();
    chat.dispatch({ type: "resize", size: { columns: stdout.columns, rows: stdout.rows } });
  };
  chat.redraw = paint;
  stdout.on("resize", paint);
  try {
    await chat.left;
  } finally {
    stdout.off("resize", paint);
    app.unmount();
    await app.waitUntilExit();
  }
}

/** What Ink writes to: it passes whole frames on to the painter. Ink's listeners are never called, because it would erase lines. */
function canvas(painter: Painter): NodeJS.WriteStream {
  const stream = {
    isTTY: true,
    // Not used by our lines, but without a number Ink starts a process for every frame to find out.
    columns: 80,
    on: () => stream,
    off: () => stream,
    write: (frame: string) => {
      painter.take(frame.split("\n"));
      return true;
    },
  };
  return stream as unknown as NodeJS.WriteStream;
}

/** Only terminals known to support the protocol; others might print the sequence. */
function knowsBetterKeys({ TERM, TERM_PROGRAM, KITTY_WINDOW_ID }: Stage["env"]): boolean {
  return KITTY_WINDOW_ID !== undefined || TERM === "xterm-kitty" || ["WezTerm", "ghostty"].includes(TERM_PROGRAM ?? "");
}
