import { isatty } from "node:tty";
import { type Assembly, openAssembly } from "../../assembly/index.ts";
import type { SessionOptions } from "../../session/index.ts";
import { buildChat, chooseForChat, type Wanted } from "./build-chat.ts";
import type { ChatParts, OpenChat } from "./chat-parts.ts";
import { ChatController } from "./controller.ts";
import { loadView } from "./load-view.ts";

const WRONG_USAGE = 2;
const CANCELLED = 130;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

const NO_TERMINAL = `secondwind: chat needs a terminal on stdin and stdout, and this is none.
secondwind ask answers one question and works in a pipe; secondwind console works in plain terminals.
`;

/** `secondwind chat`: answers its exit code. */
export async function chat(wanted: Wanted): Promise<number> {
  const { stdin, stdout, env } = process;
  if (stdin.isTTY !== true || stdout.isTTY !== true || env.TERM === "dumb") {
    process.stderr.write(NO_TERMINAL);
    return WRONG_USAGE;
  }
  const assembly = await openAssembly({ env });
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
 * The terminal is gone, and everything is written. Node wants to set it back when it ends, can't, and aborts with a core dump;
 * so we end as any program does whose terminal hangs up.
 */
function endByHangUp(): void {
  process.removeAllListeners("SIGHUP");
  process.kill(process.pid, "SIGHUP");
  // Still here: whoever started us has it ignored.
  process.kill(process.pid, "SIGKILL");
}

async function talk(wanted: Wanted, assembly: Assembly): Promise<number> {
  const { stdin, stdout, env } = process;
  const size = { columns: stdout.columns, rows: stdout.rows };
  let chat: ChatController | undefined;
  const parts = await buildChat(assembly, (fault, where) => chat?.fail(new Error(`${where}: ${String(fault)}`)));
  // Loaded here and nowhere else: it takes most of a second.
  const [[chosen, opened], { showChat }] = await Promise.all([openChosen(parts, wanted), loadView(env)]);
  const controller = new ChatController(parts, opened, size);
  chat = controller;
  if (wanted.continue === true && chosen.conversationId === undefined) {
    controller.dispatch({ type: "notice", tone: "info", text: "No conversation is kept yet: this is a new one." });
  }
  let code = 0;
  const stop = (): void => {
    code = CANCELLED;
    controller.leave();
  };
  // Not `once`: Ink's own listener ends the process on the spot if it finds itself the last one.
  for (const signal of SIGNALS) process.on(signal, stop);
  // A terminal that is gone: the signal that should come with it may be late, or not come at all.
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
    stdout.write(`Kept. To go on: secondwind chat --session ${conversationId}\n`);
  }
  return code;
}

async function openChosen(parts: ChatParts, wanted: Wanted): Promise<readonly [SessionOptions, OpenChat]> {
  const chosen = await chooseForChat(parts, wanted);
  return [chosen, await parts.open(chosen)];
}
