import { InvalidInput, type Ports } from "../kernel/index.ts";
import { checkName } from "../store/check/check-text.ts";
import { systemPorts } from "../system/index.ts";
import { type Redact, readRetrySettings } from "../wire/index.ts";
import { checkSelector } from "../wire/selector.ts";
import type { SessionOptions, SessionParts } from "./parts.ts";
import { leftBehind } from "./prompt/left-behind.ts";
import { Announcer } from "./record/announcer.ts";
import { addEntry, type Context, readEntries } from "./record/context.ts";
import { lastLeader } from "./record/last-leader.ts";
import { Recorder } from "./record/recorder.ts";
import { addTokens, NO_TOKENS } from "./record/tokens-of.ts";
import { firstModel } from "./retry/chain-for.ts";
import { ExperienceBook } from "./retry/experience-book.ts";
import { LiveGenerations } from "./retry/live-generations.ts";
import { policyFor } from "./retry/policy-for.ts";
import { RetryCounter } from "./retry/retry-tally.ts";
import type { SessionCore } from "./session-core.ts";

/** Puts a session together from its parts and what the store knows of its conversation. */
export async function openCore(parts: SessionParts, options: SessionOptions): Promise<SessionCore> {
  const ports = parts.ports ?? systemPorts();
  // The store would refuse it too, but only with the first message, and the talk would go on unsaved.
  const conversationId = checkName("conversationId", options.conversationId ?? ports.newId());
  const exists = (await parts.conversations.get(conversationId)) !== undefined;
  const entries = exists ? readEntries(await parts.conversations.read(conversationId)) : [];
  const settings = readRetrySettings(await readSettings(parts, ports));
  const known = lastLeader(entries, settings) ?? firstModel("default", settings);
  const chosen = options.model ?? known ?? parts.defaultModel;
  if (chosen === undefined) throw new InvalidInput("model", chosen, "provider/model");
  // A model that the conversation had may have lost its provider since: then a chain may help, or the error names it.
  checkSelector("model", chosen, options.model === undefined ? undefined : parts.providers);
  // An invalid policy throws now, not at the first prompt.
  for (const provider of parts.providers.keys()) {
    policyFor({ parts, options, settings, experience: undefined }, provider, () => undefined);
  }
  const { conversations, redact = asItIs } = parts;
  const announcer = new Announcer(ports.reportFault, redact);
  const context = entries.reduce<Context>(addEntry, []);
  const tokens = entries.reduce(addTokens, NO_TOKENS);
  const recorder = new Recorder({ conversationId, conversations, announcer, redact, ports, context, tokens, exists });
  return {
    conversationId,
    parts,
    options,
    ports,
    announcer,
    recorder,
    live: new LiveGenerations(),
    experience: parts.experience && (await ExperienceBook.open(parts.experience, ports)),
    retries: parts.retries ?? new RetryCounter(),
    warned: new Set(),
    leftBehind: leftBehind(entries),
    tools: parts.tools ?? [],
    settings,
    chosen,
    active: chosen,
  };
}

const asItIs: Redact = (value) => value;

/** If the settings can't be read, the defaults apply. */
async function readSettings({ settings }: SessionParts, ports: Ports): Promise<unknown> {
  try {
    return await settings.read();
  } catch (fault) {
    ports.reportFault(fault, "settings");
    return undefined;
  }
}
