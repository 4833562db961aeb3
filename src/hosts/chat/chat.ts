import { isatty } from "node:tty";
import { type Assembly, openAssembly } from "../../assembly/index.ts";
import { showIfSlow } from "../../terminal/show-if-slow.ts";
import { buildChat, chooseForChat, type Wanted } from "./build-chat.ts";
import { ChatController } from "./controller.ts";
import { loadView } from "./load-view.ts";

const WRONG_USAGE = 2;
const CANCELLED = 130;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

const LOADING = "Loading extensions…";
const NO_TERMINAL = `secondwind: chat needs a terminal on stdin and stdout.
In a pipe, use secondwind ask; in a plain terminal, use secondwind console.
`;

/** Runs `secondwind chat`. Returns the exit code. */
export async function chat(wanted: Wanted): Promise<number> {
  const { stdin, stdout, env } = process;
  if (stdin.isTTY !== true || stdout.isTTY !== true || env.TERM === "dumb") {
    process.stderr.write(NO_TERMINAL);
    return WRONG_USAGE;
  }
  // A line on stderr would end up in the middle of the screen.
  const assembly = await openAssembly({ env, extensions: wanted.extension ?? [], say: () => undefined });
  try {
    return await talk(wanted, assembly);
  } catch (fault) {
    throw assembly.redact(fault);
  } finally {
    await assembly.close();
    if (!isatty(stdin.fd) || !isatty(stdout.fd)) endByHangUp();
  }
}

/**
 * The terminal is gone, and everything is written. At exit Node would try to restore the terminal's mode, fail, and abort with a
 * core dump; so the process ends by SIGHUP, like any program whose terminal hangs up.
 */
function endByHangUp(): void {
  process.removeAllListeners("SIGHUP");
  process.kill(process.pid, "SIGHUP");
  // Still running: the parent process made us ignore SIGHUP.
  process.kill(process.pid, "SIGKILL");
}

async function talk(wanted: Wanted, assembly: Assembly): Promise<number> {
  const { stdin, stdout, env } = process;
  const size = { columns: stdout.columns, rows: stdout.rows };
  let chat: ChatController | undefined;
  const parts = await buildChat(assembly, wanted, (fault, where) =>
    chat?.fail(new Error(`${where}: ${String(fault)}`)),
  );
  const chosen = await chooseForChat(parts, wanted);
  // Ink takes most of a second to load: only here, and while the conversation opens.
  const loading = Promise.all([parts.open(chosen), loadView(env)]);
  const [opened, { showChat }] = await (assembly.extensions === undefined
    ? loading
    : showIfSlow(stdout, LOADING, loading));
  const controller = new ChatController(parts, opened, size);
  chat = controller;
  if (wanted.continue === true && chosen.conversationId === undefined) {
    controller.dispatch({ type: "notice", tone: "info", text: "No saved conversations; this is a new one." });
  }
  let code = 0;
  const stop = (): void => {
    code = CANCELLED;
    controller.leave();
  };
  // Not `once`: Ink's own listener ends the process at once if it is the only one left.
  for (const signal of SIGNALS) process.on(signal, stop);
  // A closed terminal: its SIGHUP may come late, or not at all.
  stdout.on("error", stop);
  stdin.on("error", stop).on("end", stop);
  try {
    await showChat(controller, { stdin, stdout, env });
  } finally {
    await controller.close();
    for (const signal of SIGNALS) process.off(signal, stop);
  }
  const { conversationId, items } = controller.state;
  if (assembly.store.isPersistent && items.some(({ kind }) => kind === "user")) {
    stdout.write(`Saved. Resume with: secondwind chat --session ${conversationId}\n`);
  }
  return code;
}
