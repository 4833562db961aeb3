import { buildSession, type Open } from "./build-session.ts";
import { serveRpc } from "./serve-rpc.ts";

/** The options of `secondwind rpc`, as commander gives them. */
export interface RpcOptions {
  readonly model?: string;
  readonly conversation?: string;
}

const CANCELLED = 130;

/** `secondwind rpc`: serves one conversation on stdin and stdout until stdin ends, and answers its exit code. */
export async function rpc({ model, conversation }: RpcOptions, open?: Open): Promise<number> {
  const options = {
    ...(model !== undefined && { model }),
    ...(conversation !== undefined && { conversationId: conversation }),
  };
  const { session, redact, close } = await buildSession(options, open);
  let code = 0;
  const stop = (): void => {
    code = CANCELLED;
    // The loop ends with its input; what is under way is aborted and written.
    process.stdin.destroy();
    void session.close();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, stop);
  try {
    await serveRpc({ session, redact, input: process.stdin.setEncoding("utf8"), output: process.stdout });
  } catch (fault) {
    if (code !== CANCELLED) throw redact(fault);
  } finally {
    await close();
  }
  return code;
}
