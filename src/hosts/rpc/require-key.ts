import type { SessionParts } from "../../session/index.ts";
import { chainFor, entriesFor } from "../../session/retry/chain-for.ts";
import { readRetrySettings } from "../../wire/index.ts";
import { parseSelector } from "../../wire/selector.ts";

/** Throws if neither the model that was asked for nor a fallback has a key: every prompt would fail. */
export async function requireKey({ providers, settings }: SessionParts, model: string): Promise<void> {
  const stored = await settings.read().catch(() => undefined);
  const targets = entriesFor(chainFor("default", model, readRetrySettings(stored)), providers);
  if (targets.some(({ credentials }) => credentials?.length !== 0)) return;
  const provider = parseSelector(model)?.provider ?? model;
  throw new Error(
    `No API key for ${provider}. Run secondwind keys add ${provider}, or set the variable that secondwind models names`,
  );
}
