import { readText } from "../../turn/assistant-draft.ts";
import type { AskModel } from "../parts.ts";
import { modelOf } from "../retry/chain-for.ts";
import { openGeneration } from "../retry/open-generation.ts";
import type { SessionCore } from "../session-core.ts";

interface AskOptions {
  /** A tool call's id, or `compaction`. */
  readonly origin: string;
  readonly role: string;
  readonly signal: AbortSignal;
}

/** A model call beside the conversation: nothing of it is recorded, and its retries are announced under its own origin. */
export function askModel(core: SessionCore, { origin, role: usual, signal }: AskOptions): AskModel {
  return async ({ prompt, system, role = usual }) => {
    const primary = modelOf(role, core.chosen, core.settings);
    const call = openGeneration(core, {
      role,
      primary,
      active: primary,
      origin,
      signal,
      // Half an answer is never shown, so nothing has to be taken back.
      sink: "buffered",
      request: { ...(system !== undefined && { system }), messages: [{ role: "user", content: prompt }] },
    });
    try {
      return await readText(call.generation, signal);
    } finally {
      call.end();
    }
  };
}
