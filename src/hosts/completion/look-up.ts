import { existsSync } from "node:fs";
import { accessFilePath, readAccessFile } from "../../credentials/index.ts";
import { openProviders } from "../../providers/open-providers.ts";
import { shortId } from "../../session/record/choose-conversation.ts";
import { defaultStorePath, openStore } from "../../store/index.ts";
import { cleanText } from "../../terminal/index.ts";
import type { LookedUp } from "./values.ts";

/** A value, and a description for shells that show one. */
type Value = readonly [value: string, description?: string];

const MOST_CONVERSATIONS = 50;
/** A Tab that takes longer seems to do nothing. */
const BUSY_MS = 200;

/** `secondwind complete`: a value per line, with its description after a tab. Prints nothing if it cannot be looked up. */
export async function lookUp(what: LookedUp, env: NodeJS.ProcessEnv): Promise<string> {
  try {
    const values = await LOOK_UPS[what](env);
    return values.map((value) => `${value.map((text) => oneLine(text ?? "")).join("\t")}\n`).join("");
  } catch {
    return "";
  }
}

const LOOK_UPS: Readonly<Record<LookedUp, (env: NodeJS.ProcessEnv) => Promise<readonly Value[]>>> = {
  models: (env) => selectors(env, "models"),
  embeddings: (env) => selectors(env, "embeddings"),
  conversations,
  providers: async (env) => (await openProviders({ env })).endpoints.map(({ name, title }) => [name, title]),
  keys: async (env) => {
    const { vault } = await openProviders({ env });
    const stored = vault.credentials().filter(({ id }) => !/#env\d+$/.test(id));
    return stored.map(({ id, masked }) => [id, masked]);
  },
  access: async (env) => readAccessFile(accessFilePath(env)).map(({ name }) => [name]),
};

async function selectors(env: NodeJS.ProcessEnv, kind: "models" | "embeddings"): Promise<readonly Value[]> {
  const { endpoints, credentialsOf } = await openProviders({ env });
  const ready = endpoints.filter(({ name }) => credentialsOf(name).length > 0);
  return ready.flatMap((endpoint) =>
    endpoint[kind].map((model): Value => [`${endpoint.name}/${model}`, endpoint.title]),
  );
}

async function conversations(env: NodeJS.ProcessEnv): Promise<readonly Value[]> {
  const path = defaultStorePath(env);
  if (!existsSync(path)) return [];
  const store = await openStore({ path, busyTimeoutMs: BUSY_MS });
  try {
    const list = await store.conversations.list({ limit: MOST_CONVERSATIONS });
    return list.map(({ id, title }) => [shortId(id), title]);
  } finally {
    await store.close();
  }
}

function oneLine(text: string): string {
  return cleanText(text).replace(/\s+/g, " ").trim();
}
