import type { WantedConversation } from "../../session/choose-conversation.ts";
import { buildSession, type Open } from "./build-session.ts";
import { serveRpc } from "./serve-rpc.ts";

/** The options of `secondwind rpc`, as commander gives them. */
export interface RpcOptions extends WantedConversation {
  readonly model?: string;
}

const CANCELLED = 130;

/**
 * `secondwind rpc`: serves one conversation on stdin and stdout until stdin ends or nobody reads stdout any more, and answers its
 * exit code.
 */
export async function rpc({ model, ...wanted }: RpcOptions, open?: Open): Promise<number> {
  const { session, redact, close } = await buildSession(model === undefined ? {} : { model }, wanted, open);
  let code = 0;
  const stop = (): void => {
    code = CANCELLED;
    // The loop ends with its input; what is under way is aborted and written.
    process.stdin.destroy();
    void session.close();
  };
  let fault: Error | undefined;
  // Not `once`: several lines may be on their way, and each one that can't be delivered is told.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") fault ??= error;
    // As if stdin had ended: nobody who could hear the answers is left to ask. What was acknowledged goes on.
    process.stdin.destroy();
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, stop);
  try {
    await serveRpc({ session, redact, input: process.stdin.setEncoding("utf8"), output: process.stdout });
  } catch (thrown) {
    if (code !== CANCELLED) throw redact(thrown);
  } finally {
    await close();
  }
  // A full disk, say, where stdout is a file: everything is kept, but not everything was said.
  if (fault !== undefined) throw redact(fault);
  return code;
}
