import { type Assembly, openAssembly } from "../../assembly/index.ts";
import { buildChat, chooseConversation, type Wanted } from "./build-chat.ts";
import { ChatController } from "./controller.ts";

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
  }
}

async function talk(wanted: Wanted, assembly: Assembly): Promise<number> {
  const { stdin, stdout, env } = process;
  const size = { columns: stdout.columns, rows: stdout.rows };
  let chat: ChatController | undefined;
  const parts = await buildChat(assembly, (fault, where) => chat?.fail(new Error(`${where}: ${String(fault)}`)));
  // Loaded here and nowhere else: it takes most of a second.
  const [opened, { showChat }] = await Promise.all([
    chooseConversation(parts, wanted).then(parts.open),
    import("./view/show-chat.tsx"),
  ]);
  const controller = new ChatController(parts, opened, size);
  chat = controller;
  let code = 0;
  const stop = (): void => {
    code = CANCELLED;
    controller.leave();
  };
  // Not `once`: Ink's own listener ends the process on the spot if it finds itself the last one.
  for (const signal of SIGNALS) process.on(signal, stop);
  // A terminal that is gone: the signal that should come with it may be late, or not come at all.
  stdout.on("error", stop);
  try {
    await showChat(controller, { stdin, stdout, env });
  } finally {
    await controller.close();
    for (const signal of SIGNALS) process.off(signal, stop);
  }
  const { conversationId, items } = controller.state;
  if (items.some(({ kind }) => kind === "user")) {
    stdout.write(`Kept. To go on: secondwind chat --session ${conversationId}\n`);
  }
  return code;
}
