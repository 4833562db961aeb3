import { readEntries } from "./context.ts";
import { type Accepted, leftBehind } from "./left-behind.ts";
import type { SessionCore } from "./session-core.ts";

/**
 * What was left behind when the session was opened and still is: whoever accepted it may be alive and have said it meanwhile.
 * Taken once, by the first prompt: to open a conversation is no reason to write in it.
 */
export async function takeLeftBehind(core: SessionCore): Promise<readonly Accepted[]> {
  const { parts, conversationId, ports } = core;
  try {
    const entries = readEntries(await parts.conversations.read(conversationId));
    const places = new Set(leftBehind(entries).map(({ place }) => place));
    const taken = core.leftBehind.filter(({ place }) => places.has(place));
    core.leftBehind = [];
    return taken;
  } catch (fault) {
    // Better said late, with the next prompt, than twice.
    ports.reportFault(fault, "conversation store");
    return [];
  }
}
