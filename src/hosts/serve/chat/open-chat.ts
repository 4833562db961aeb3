import type { Activity } from "../../../activity/activity.ts";
import { type Assembly, sharedParts } from "../../../assembly/index.ts";
import { storedSettings } from "../../../assembly/stored-settings.ts";
import { PRESETS } from "../../../presets/presets.ts";
import { readRetrySettings } from "../../../wire/index.ts";
import type { ChatParts } from "./chat-parts.ts";
import { ChatService } from "./chat-service.ts";
import { CHAT_SYSTEM, chatTools } from "./chat-tools.ts";

export interface ChatOptions extends Partial<Pick<ChatParts, "defaults" | "policyOf" | "maxTurns">> {
  readonly activity: Pick<Activity, "watch">;
  /** A folder that the model may read. Default: none. */
  readonly files?: string;
}

/** The chat of a server that is built on this assembly. */
export function openChat(assembly: Assembly, { files, ...options }: ChatOptions): ChatService {
  const { providers, conversations, health, ports, redact, redactPieces } = {
    ...sharedParts(assembly),
    ports: assembly.ports,
    redact: assembly.redact,
  };
  const stored = storedSettings(assembly.store.config);
  return new ChatService({
    ...{ providers, conversations, health, ports, redact },
    ...(redactPieces !== undefined && { redactPieces }),
    defaults: async () => ({ model: assembly.defaultModel, policy: "patient" }),
    settings: async () => readRetrySettings(await stored.read()),
    policyOf: presetNamed,
    tools: chatTools(ports, files),
    system: CHAT_SYSTEM,
    ...options,
  });
}

/** A name may be something that every object has, such as `constructor`. */
function presetNamed(name: string) {
  return Object.hasOwn(PRESETS, name) ? PRESETS[name]?.() : undefined;
}
