import { type Assembly, openAssembly, sessionParts } from "../../assembly/index.ts";
import { chooseConversation, type WantedConversation } from "../../session/choose-conversation.ts";
import { AgentSession, createTools, type SessionOptions } from "../../session/index.ts";
import type { Redact } from "../../wire/index.ts";

export type Open = () => Promise<Assembly>;

export interface BuiltSession {
  readonly session: AgentSession;
  /** For what goes out on stdout and stderr. */
  readonly redact: Redact;
  close(): Promise<void>;
}

/** What the command line opens: the providers whose keys are in the environment, and the store of this machine. */
const openReal: Open = () => openAssembly({ env: process.env });

/** The one place where this host is put together from real parts. */
export async function buildSession(
  options: Pick<SessionOptions, "model">,
  wanted: WantedConversation,
  open: Open = openReal,
): Promise<BuiltSession> {
  const assembly = await open();
  const { redact } = assembly;
  try {
    const conversationId = await chooseConversation(assembly.store.conversations, wanted);
    const parts = await sessionParts(assembly);
    const session = await AgentSession.open(
      { ...parts, tools: createTools(process.cwd()) },
      { ...options, ...(conversationId !== undefined && { conversationId }) },
    );
    return { session, redact, close: () => session.close().finally(() => assembly.close()) };
  } catch (fault) {
    await assembly.close();
    throw redact(fault);
  }
}
