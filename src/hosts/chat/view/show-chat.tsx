import { render } from "ink";
import { suspension } from "../../../terminal/index.ts";
import type { ChatController } from "../controller.ts";
import { App } from "./app.tsx";
import { Painter } from "./painter.ts";
import { MOUSE, type Mode, modesFor } from "./terminal-modes.ts";
import { themeFor } from "./theme.ts";

export interface Stage {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Shows a chat until the user quits. Restores the terminal, whatever ends the process. */
export async function showChat(chat: ChatController, stage: Stage): Promise<void> {
  const { stdout, env } = stage;
  const modes = modesFor(env);
  const restore = (): void => void stdout.write(MOUSE.off + modes.off);
  process.once("exit", restore);
  stdout.write(modes.on);
  try {
    await paintUntilLeft(chat, stage, modes);
  } finally {
    // Before any error is printed: on the alternate screen it would disappear.
    restore();
    process.off("exit", restore);
  }
}

async function paintUntilLeft(chat: ChatController, { stdin, stdout, env }: Stage, modes: Mode): Promise<void> {
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
  const { suspend, end } = suspension({
    leave: () => {
      stdout.write(MOUSE.off + modes.off);
      stdin.setRawMode(false);
      stdin.pause();
    },
    enter: () => {
      stdin.setRawMode(true);
      stdin.resume();
      stdout.write(modes.on + (chat.state.mouse === "ours" ? MOUSE.on : ""));
      paint();
    },
  });
  chat.view = { redraw: paint, suspend, setMouse: (isOurs) => void stdout.write(isOurs ? MOUSE.on : MOUSE.off) };
  if (chat.state.mouse === "ours") stdout.write(MOUSE.on);
  stdout.on("resize", paint);
  try {
    await chat.left;
  } finally {
    end();
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
