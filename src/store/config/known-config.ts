import { InvalidInput } from "../../kernel/index.ts";
import { parseJson } from "../parse-json.ts";
import type { ConfigEntry, ConfigStore } from "../store.ts";
import type { ConfigKey } from "./config-key.ts";
import { CONFIG_KEYS, CONFIG_NAMES, type ConfigName, type ConfigValues } from "./config-keys.ts";

/** The values as JSON texts, by key. */
export interface ConfigTexts {
  read(key: string): Promise<string | undefined>;
  write(key: string, text: string): Promise<void>;
  remove(key: string): Promise<void>;
}

/** The same keys, checks and defaults for every store. */
export class KnownConfig implements ConfigStore {
  readonly #texts: ConfigTexts;

  constructor(texts: ConfigTexts) {
    this.#texts = texts;
  }

  async get<K extends string>(key: K): Promise<K extends ConfigName ? ConfigValues[K] : unknown> {
    const { value } = await this.#look(known(key));
    // `accepts` of this key has checked the type.
    return value as K extends ConfigName ? ConfigValues[K] : unknown;
  }

  async set(key: string, value: unknown): Promise<void> {
    const { accepts, allowed } = specOf(known(key));
    if (!accepts(value)) throw new InvalidInput(key, value, allowed);
    await this.#texts.write(key, JSON.stringify(value));
  }

  async remove(key: string): Promise<void> {
    await this.#texts.remove(known(key));
  }

  list(): Promise<readonly ConfigEntry[]> {
    return Promise.all(CONFIG_NAMES.map((name) => this.#look(name)));
  }

  async #look(name: ConfigName): Promise<ConfigEntry> {
    const { default: value, accepts, mend, allowed, description } = specOf(name);
    const stored = parseJson((await this.#texts.read(name)) ?? "");
    // Edited by hand, or from a version with other bounds: one bad value must not keep a host from starting.
    const usable = accepts(stored) ? stored : mend?.(stored);
    return { key: name, value: usable ?? value, isDefault: usable === undefined, description, allowed };
  }
}

function specOf(name: ConfigName): ConfigKey<unknown> {
  return CONFIG_KEYS[name];
}

function known(key: string): ConfigName {
  const found = CONFIG_NAMES.find((name) => name === key);
  if (found === undefined) throw new InvalidInput("config key", key, `one of ${CONFIG_NAMES.join(", ")}`);
  return found;
}
