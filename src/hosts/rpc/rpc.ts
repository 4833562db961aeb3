import { type Assembly, openAssembly, sessionParts } from "../../assembly/index.ts";
import { AgentSession, createTools } from "../../session/index.ts";
import { chooseConversation, type WantedConversation } from "../../session/record/choose-conversation.ts";
import { checkSelector } from "../../wire/selector.ts";
import { requireKey } from "./require-key.ts";
import { serveRpc } from "./serve-rpc.ts";

/** The options of `secondwind rpc`. */
interface RpcOptions extends WantedConversation {
  readonly model?: string;
  readonly extension?: readonly string[];
}

const CANCELLED = 130;

/** Serves one conversation on stdin and stdout until stdin ends or stdout is closed. Returns the exit code. */
export async function rpc(
  options: RpcOptions,
  open: () => Promise<Assembly> = () => openAssembly({ env: process.env, extensions: options.extension ?? [] }),
): Promise<number> {
  const assembly = await open();
  try {
    return await serve(assembly, options);
  } catch (fault) {
    throw assembly.redact(fault);
  } finally {
    await assembly.close();
  }
}

async function serve(assembly: Assembly, { model, extension: _, ...wanted }: RpcOptions): Promise<number> {
  const conversationId = await chooseConversation(assembly.store.conversations, wanted);
  const parts = { ...(await sessionParts(assembly)), tools: createTools(process.cwd()) };
  if (model !== undefined) {
    checkSelector("--model", model, assembly.providers);
    await requireKey(parts, model);
  }
  const session = await AgentSession.open(parts, {
    ...(model !== undefined && { model }),
    ...(conversationId !== undefined && { conversationId }),
  });
  const { stdin, stdout } = process;
  let code = 0;
  const stop = (): void => {
    code = CANCELLED;
    // Ends the loop; closing the session aborts and saves what is running.
    stdin.destroy();
    void session.close();
  };
  let fault: Error | undefined;
  // Not `once`: each line that can't be written raises an error.
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") fault ??= error;
    // As if stdin had ended: no reader is left for new answers. Acknowledged prompts are still answered and saved.
    stdin.destroy();
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, stop);
  try {
    await serveRpc({ session, redact: assembly.redact, input: stdin.setEncoding("utf8"), output: stdout });
  } catch (thrown) {
    if (code !== CANCELLED) throw thrown;
  } finally {
    await session.close();
  }
  // For example a full disk, if stdout is a file: everything is saved, but not everything was written.
  if (fault !== undefined) throw fault;
  return code;
}
