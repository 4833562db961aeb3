import { InvalidInput } from "../../kernel/index.ts";
import { parseJson } from "../parse-json.ts";
import type { ConfigEntry, ConfigStore } from "../store.ts";
import type { ConfigKey } from "./config-key.ts";
import { CONFIG_KEYS, CONFIG_NAMES, type ConfigName, type ConfigValues } from "./config-keys.ts";
import { PER_PROVIDER, parseProviderKey } from "./per-provider.ts";

/** The values as JSON texts, by key. */
export interface ConfigTexts {
  read(key: string): Promise<string | undefined>;
  /** All of them or none. Undefined: without a value. */
  write(texts: ReadonlyMap<string, string | undefined>): Promise<void>;
  /** Every key that has a value. */
  names(): Promise<readonly string[]>;
}

/** The same keys, checks and defaults for every store. */
export class KnownConfig implements ConfigStore {
  readonly #texts: ConfigTexts;

  constructor(texts: ConfigTexts) {
    this.#texts = texts;
  }

  async get<K extends string>(key: K): Promise<K extends ConfigName ? ConfigValues[K] : unknown> {
    const { value } = await this.#look(check(key));
    // `accepts` of this key has checked the type.
    return value as K extends ConfigName ? ConfigValues[K] : unknown;
  }

  async set(key: string, value: unknown): Promise<void> {
    await this.#texts.write(new Map([[key, textOf(key, value)]]));
  }

  async setAll(values: Readonly<Record<string, unknown>>): Promise<void> {
    const texts = Object.entries(values).map(([key, value]) => {
      if (value !== null) return [key, textOf(key, value)] as const;
      return [check(key).key, undefined] as const;
    });
    await this.#texts.write(new Map(texts));
  }

  async remove(key: string): Promise<void> {
    check(key);
    await this.#texts.write(new Map([[key, undefined]]));
  }

  async entry(key: string): Promise<ConfigEntry> {
    return this.#look(check(key));
  }

  async list(): Promise<readonly ConfigEntry[]> {
    const stored = (await this.#texts.names()).flatMap((name) => find(name) ?? []);
    const own = stored.filter(({ provider }) => provider !== undefined).sort((a, b) => a.key.localeCompare(b.key));
    const keys = CONFIG_NAMES.flatMap((name): FoundKey[] => [
      { key: name, name },
      ...own.filter((one) => one.name === name),
    ]);
    return Promise.all(keys.map((key) => this.#look(key)));
  }

  async #look({ key, name, provider }: FoundKey): Promise<ConfigEntry> {
    const { default: value, accepts, mend, allowed, description } = specOf({ name });
    const stored = parseJson((await this.#texts.read(key)) ?? "");
    // Edited by hand, or from a version with other bounds: one bad value must not keep a host from starting.
    const usable = accepts(stored) ? stored : mend?.(stored);
    const isDefault = usable === undefined;
    if (provider === undefined) return { key, value: usable ?? value, isDefault, description, allowed };
    // Without a value of its own, a provider has the value of all.
    const shared = isDefault ? (await this.#look({ key: name, name })).value : usable;
    return { key, value: shared, isDefault, description: `for ${provider}: ${description}`, allowed };
  }
}

interface FoundKey {
  readonly key: string;
  readonly name: ConfigName;
  readonly provider?: string;
}

function specOf({ name }: Pick<FoundKey, "name">): ConfigKey<unknown> {
  return CONFIG_KEYS[name];
}

function textOf(key: string, value: unknown): string {
  const { accepts, allowed } = specOf(check(key));
  if (!accepts(value)) throw new InvalidInput(key, value, allowed);
  return JSON.stringify(value);
}

function find(key: string): FoundKey | undefined {
  const name = CONFIG_NAMES.find((one) => one === key);
  if (name !== undefined) return { key, name };
  const parsed = parseProviderKey(key);
  return parsed && { key, ...parsed };
}

function check(key: string): FoundKey {
  const found = find(key);
  if (found !== undefined) return found;
  const names = CONFIG_NAMES.join(", ");
  throw new InvalidInput(
    "config key",
    key,
    `one of ${names}; for one provider ${PER_PROVIDER.join(", ")} with .PROVIDER`,
  );
}
