import { type Assembly, sessionParts, WATCHDOG } from "../../assembly/index.ts";
import { loadVault, readEndpoints } from "../../providers/configuration.ts";
import { SIMULATED } from "../../providers/index.ts";
import {
  AgentSession,
  createTools,
  RetryCounter,
  type SessionOptions,
  type SessionParts,
} from "../../session/index.ts";
import { chooseConversation } from "../../session/record/choose-conversation.ts";
import { readEntries } from "../../session/record/context.ts";
import type { ChatParts, Clock, OpenChat } from "./chat-parts.ts";
import { BUILT_IN } from "./commands/built-in.ts";
import { listFolder } from "./completion/list-folder.ts";
import { itemsOfHistory } from "./state/items-of-history.ts";
import { unansweredIn } from "./state/unanswered.ts";
import { writeNew } from "./write-new.ts";

/** Shows faults on the screen: writing to stderr would garble it. */
type ReportFault = (fault: unknown, where: string) => void;

const SYSTEM_CLOCK: Clock = {
  now: () => performance.now(),
  every(ms, run) {
    const timer = setInterval(run, ms);
    return () => clearInterval(timer);
  },
};

/** Builds the chat from its real parts. */
export async function buildChat(assembly: Assembly, { mouse }: Wanted, reportFault: ReportFault): Promise<ChatParts> {
  const { store, redact } = assembly;
  const ports = {
    ...assembly.ports,
    reportFault: (fault: unknown, where: string) => reportFault(redact(fault), where),
  };
  const retries = new RetryCounter();
  let isAdaptive: SessionParts["isAdaptive"];
  const open = async (options: SessionOptions): Promise<OpenChat> => {
    const parts = await sessionParts(assembly);
    isAdaptive = parts.isAdaptive;
    const session = await AgentSession.open(
      { ...parts, ports, retries, tools: createTools(process.cwd()), commandNames: BUILT_IN.map(({ name }) => name) },
      options,
    );
    const { conversationId } = session;
    const isKept = (await store.conversations.get(conversationId)) !== undefined;
    const entries = isKept ? readEntries(await store.conversations.read(conversationId)) : [];
    return { session, items: itemsOfHistory(entries), unanswered: unansweredIn(entries) };
  };
  return {
    open,
    conversations: store.conversations,
    config: store.config,
    listLearned: async () => {
      const learned = await store.experience.list();
      return learned.map((one) => ({ ...one, isUsed: isAdaptive?.(one.provider) ?? false }));
    },
    listKeys: async () => loadVault(readEndpoints(process.env), process.env).credentials(),
    models: listModels(assembly),
    coolingFor: (models) =>
      Object.fromEntries(models.map((model) => [model, restOf(assembly, model)] as const).filter(([, ms]) => ms > 0)),
    writeNew,
    listFolder: (folder) => listFolder(process.cwd(), folder),
    clock: SYSTEM_CLOCK,
    watchdog: WATCHDOG,
    hasMouse: mouse !== false,
    hasMotion: !isSet(process.env.NO_MOTION),
  };
}

/** Present and not empty, as with NO_COLOR. */
function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== "";
}

/** Milliseconds until a model may be called again: 0 as soon as one of its keys is free. */
function restOf({ providers, health, ports }: Assembly, selector: string): number {
  const provider = selector.slice(0, selector.indexOf("/"));
  const model = selector.slice(provider.length + 1);
  const blocked = (providers.get(provider)?.credentials ?? []).map((credential) =>
    health.blockedForMs({ provider, model, credential }, null, ports.now()),
  );
  return blocked.length === 0 ? 0 : Math.min(...blocked);
}

function listModels({ providers }: Assembly): readonly string[] {
  const known = [...readEndpoints(process.env), SIMULATED];
  return [...providers].flatMap(([name, { credentials }]) =>
    credentials.length === 0
      ? []
      : (known.find((one) => one.name === name)?.models ?? []).map((model) => `${name}/${model}`),
  );
}

export interface Wanted {
  readonly model?: string;
  readonly session?: string;
  readonly continue?: boolean;
  readonly extension?: readonly string[];
  /** False: `--no-mouse`. */
  readonly mouse?: boolean;
}

/** Session options for the conversation that the command line names. */
export async function chooseForChat(
  { conversations }: ChatParts,
  { model, mouse: _, ...wanted }: Wanted,
): Promise<SessionOptions> {
  const conversationId = await chooseConversation(conversations, wanted);
  return { ...(model !== undefined && { model }), ...(conversationId !== undefined && { conversationId }) };
}
