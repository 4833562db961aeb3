import type { HeldPrompt } from "./accept-prompt.ts";
import { readEntries } from "./context.ts";
import { settledIds } from "./left-behind.ts";
import type { SessionCore } from "./session-core.ts";

/**
 * Those that nobody else has said. Another process that took up the conversation can't know that this one is alive: it has told a
 * model what it found in line. To say it again would have it answered twice, so whoever listens is told instead.
 */
export async function stillHeld(core: SessionCore, held: readonly HeldPrompt[]): Promise<readonly HeldPrompt[]> {
  if (held.length === 0) return held;
  const settled = await readSettled(core);
  for (const { promptId, content } of held) {
    if (!settled.has(promptId)) continue;
    core.recorder.announce({ type: "warning", message: `Said in another session of this conversation: ${content}` });
  }
  return held.filter(({ promptId }) => !settled.has(promptId));
}

async function readSettled({ parts, conversationId, ports }: SessionCore): Promise<ReadonlySet<string>> {
  try {
    return settledIds(readEntries(await parts.conversations.read(conversationId)));
  } catch (fault) {
    // A store that fails costs memory, not the conversation: it is said.
    ports.reportFault(fault, "conversation store");
    return new Set();
  }
}
