import type { ClearableHealth, Health, Ports } from "../kernel/index.ts";
import { type OpenOptions, openProviders, type SimulatorHandle } from "../providers/index.ts";
import type { ExtensionSource, ProviderSet } from "../session/index.ts";
import type { LinkStatus } from "../shared-health/index.ts";
import {
  defaultStorePath,
  type FingerprintOf,
  memoryStore,
  openStore,
  RememberingHealth,
  type Store,
  StoreError,
} from "../store/index.ts";
import { systemPorts } from "../system/index.ts";
import type { PieceRedactor, Redact } from "../wire/index.ts";
import { checkedConfig } from "./checked-config.ts";
import { endProcessSoon } from "./end-process.ts";
import { extensionSources } from "./extension-files.ts";
import { fingerprints } from "./fingerprints.ts";
import { redactedStore } from "./redacted-store.ts";
import { type Redis, redisOf, sharedAssembly } from "./shared-assembly.ts";

export interface AssemblyOptions extends OpenOptions {
  /** Default: where the environment points. `:memory:` forgets everything with the process. */
  readonly storePath?: string;
  /** True: if the store cannot be used, one line names the reason, and nothing outlives the process. Default: the error is thrown. */
  readonly worksWithoutStore?: boolean;
  /** Extensions of the command line, in addition to those of the settings. Absent: this host loads none. */
  readonly extensions?: readonly string[];
  /** Gets a line when Redis goes away and one when it is back. Default: stderr. */
  readonly say?: (line: string) => void;
}

/** The parts of an assembly: everything that has to be opened. */
export interface Foundations {
  readonly providers: ProviderSet;
  /** `provider/model`, if none is named. */
  readonly defaultModel: string;
  readonly store: Store;
  /** Takes the secrets out of whatever leaves the process. */
  readonly redact: Redact;
  /** The same for a text that comes in pieces, one for each text. Default: each piece alone. */
  readonly redactPieces?: () => PieceRedactor;
  /** Default: a stored cooldown applies to any key or model of that name. */
  readonly fingerprints?: (salt: string) => FingerprintOf;
  /** Where health is shared with other processes. Default: it is not. */
  readonly redis?: Redis;
}

/** The real parts of a process, which its hosts share. Nothing gets from here to the disk or to stderr with a secret in it. */
export interface Assembly extends Omit<Foundations, "fingerprints" | "redis"> {
  /** What all sessions have learned, and what was left by the process before this one. */
  readonly health: Health & ClearableHealth;
  readonly ports: Ports;
  /** What the way to the other processes does. Undefined: health is not shared. */
  readonly redisStatus?: () => LinkStatus;
  readonly extensions?: readonly ExtensionSource[];
  close(): Promise<void>;
}

/** The assembly of a process that has opened its providers itself. */
export interface OpenedAssembly extends Assembly {
  /** The weather of the simulated provider. */
  readonly simulator: SimulatorHandle;
  /**
   * The keys of a provider for an origin, in order of preference: for the gateway, which sends them itself. An endpoint with a name of
   * its own gets the keys that were stored for its origin.
   */
  keysFor(provider: string, origin: string): readonly string[];
}

/** Opens what the environment, the key file and the store of this machine have. Makes no call. */
export async function openAssembly(options: AssemblyOptions): Promise<OpenedAssembly> {
  const { env, simulator, storePath, extensions, worksWithoutStore = false } = options;
  // Before anything is opened: a mistyped one is an error, not a Redis that is away.
  const redis = redisOf(env, options.say);
  const opened = await openProviders({ env, ...(simulator !== undefined && { simulator }) });
  const { providers, credentialsOf, defaultModel, vault } = opened;
  const entries = [...providers].map(
    ([name, provider]) => [name, { provider, credentials: credentialsOf(name) }] as const,
  );
  const path = storePath ?? defaultStorePath(env);
  const opening = worksWithoutStore ? openReadable(path) : openStore({ path });
  const store = await opening.catch((fault) => inMemory(fault, worksWithoutStore));
  const { redact, redactPieces } = vault;
  const foundations = { providers: new Map(entries), defaultModel, store, redact, redactPieces };
  const assembled = await assemble({
    ...foundations,
    fingerprints: fingerprints(opened),
    ...(redis !== undefined && { redis }),
  });
  const keysAt = (origin: string, provider?: string): readonly string[] =>
    vault
      .credentials(provider)
      .flatMap((one) => vault.secretFor({ provider: one.provider, credential: one.id, origin }) ?? []);
  const keysFor = (provider: string, origin: string): readonly string[] => {
    const own = keysAt(origin, provider);
    return own.length > 0 ? own : [...new Set(keysAt(origin))];
  };
  const assembly = { ...assembled, simulator: opened.simulator, keysFor };
  return extensions === undefined ? assembly : withExtensions(assembly, extensions);
}

async function withExtensions(assembly: OpenedAssembly, given: readonly string[]): Promise<OpenedAssembly> {
  const { store, ports } = assembly;
  const stored = await store.config.get("extensions").catch((fault) => {
    ports.reportFault(fault, "settings");
    return [];
  });
  const extensions = extensionSources({ stored, given });
  if (extensions.length === 0) return assembly;
  return {
    ...assembly,
    extensions,
    close: async () => {
      await assembly.close();
      endProcessSoon();
    },
  };
}

/** Damage in a large file shows only when it is read. */
async function openReadable(path: string): Promise<Store> {
  const store = await openStore({ path });
  try {
    await Promise.all([store.config.list(), store.conversations.list({ limit: 1 })]);
    return store;
  } catch (fault) {
    await store.close();
    throw fault;
  }
}

/** Every host works without SQLite: one line names what to install, and the store lasts as long as the process. */
function inMemory(fault: unknown, worksWithoutStore: boolean): Store {
  const isExpected = fault instanceof StoreError && (worksWithoutStore || fault.code === "unavailable");
  if (!isExpected) throw fault;
  process.stderr.write(`secondwind: nothing is saved in this run. ${fault.message}\n`);
  return memoryStore();
}

/** The same from parts that are open already. */
export async function assemble(given: Foundations): Promise<Assembly> {
  const { store, redact, fingerprints, redis, ...foundations } = given;
  const { reportFault } = systemPorts();
  const ports = systemPorts({ reportFault: (fault, where) => reportFault(redact(fault), where) });
  const safe = {
    ...redactedStore(store, redact),
    config: checkedConfig(store.config, foundations.providers),
  };
  const health = await RememberingHealth.load(safe.cooldowns, ports, fingerprints);
  const assembly = { ...foundations, store: safe, redact, health, ports, close: () => store.close() };
  return redis === undefined ? assembly : sharedAssembly(assembly, { redis, health, fingerprints });
}
