import { readFileSync, statSync, unwatchFile, watchFile } from "node:fs";
import type { OpenedAssembly } from "../../../assembly/index.ts";
import type { GatewayConfig, GatewayEndpoint } from "../../../gateway/index.ts";
import { makeDirectory } from "../../../gateway/route/directory.ts";
import { KNOWN_ENDPOINTS, OWNER_OF_FORMAT } from "../../../gateway/route/known-endpoints.ts";
import { InvalidInput, type Policy } from "../../../kernel/index.ts";
import { PRESETS } from "../../../presets/presets.ts";
import { parseFile } from "./parse-file.ts";

/** How often the file is looked at. */
const LOOK_MS = 500;
/** Keys stand in the vault, not in the file. */
const FROM_VAULT = "vault";

type Json = Readonly<Record<string, unknown>>;

interface FileParts extends Pick<OpenedAssembly, "keysFor"> {
  /** Tells the person who runs the server. */
  readonly say: (text: string) => void;
  /** The user's own policies, by name. Default: none. */
  readonly ownPolicies?: () => ReadonlyMap<string, Policy>;
}

/** The gateway's configuration, in a file that may be edited while the server runs. */
export class GatewayFile {
  private readonly path: string;
  private readonly parts: FileParts;

  constructor(path: string, parts: FileParts) {
    this.path = path;
    this.parts = parts;
  }

  /** Empty if there is no file. Throws an error that names the file, the line or the field. */
  read(): GatewayConfig {
    if (statSync(this.path, { throwIfNoEntry: false }) === undefined) return {};
    try {
      const config = this.parse(readFileSync(this.path, "utf8"));
      makeDirectory(config);
      return config;
    } catch (fault) {
      throw new Error(`${this.path}: ${fault instanceof Error ? fault.message : String(fault)}`);
    }
  }

  /** Hears of every change that is valid. A broken file is reported, and what was read last still applies. */
  watch(onChange: (config: GatewayConfig) => void): { readonly look: () => void; readonly stop: () => void } {
    const look = (): void => {
      try {
        onChange(this.read());
      } catch (fault) {
        const what = fault instanceof Error ? fault.message : String(fault);
        this.parts.say(`${what}. The previous configuration still applies.`);
      }
    };
    // Not `watch`, which misses files that are replaced by another.
    watchFile(this.path, { interval: LOOK_MS, persistent: false }, look);
    return { look, stop: () => unwatchFile(this.path, look) };
  }

  private parse(text: string): GatewayConfig {
    const value = parseFile(text);
    const { endpoints = {}, aliases = {}, ...others } = fields("the file", value);
    const [unknown] = Object.keys(others);
    if (unknown !== undefined)
      throw new InvalidInput(unknown, others[unknown], "absent: fields are endpoints, aliases");
    return {
      endpoints: Object.fromEntries(
        Object.entries(fields("endpoints", endpoints)).map(([name, raw]) => [name, this.endpoint(name, raw)]),
      ),
      aliases: Object.fromEntries(
        Object.entries(fields("aliases", aliases)).map(([name, raw]) => [name, this.alias(`aliases.${name}`, raw)]),
      ),
    };
  }

  private endpoint(name: string, raw: unknown): GatewayEndpoint {
    const { baseURL, format, keys } = fields(`endpoints.${name}`, raw) as unknown as GatewayEndpoint;
    if (keys !== undefined && keys !== FROM_VAULT)
      throw new InvalidInput(
        `endpoints.${name}.keys`,
        "something else",
        '"vault": secondwind keys add keeps keys there',
      );
    if (keys === undefined) return { baseURL, format };
    const origin = URL.canParse(baseURL) ? new URL(baseURL).origin : "";
    const own = this.parts.keysFor(name, origin);
    // Without any, the endpoint would get the client's key, which is not what the file says.
    if (own.length === 0) {
      const provider = Object.hasOwn(KNOWN_ENDPOINTS, name) ? name : (OWNER_OF_FORMAT[format] ?? "openai");
      const isUsual = URL.canParse(baseURL) && new URL(KNOWN_ENDPOINTS[provider]?.baseURL ?? baseURL).origin === origin;
      const command = `secondwind keys add ${provider}${isUsual ? "" : ` --base-url ${baseURL}`}`;
      throw new InvalidInput(`endpoints.${name}.keys`, keys, `absent, or have a key for its address: ${command}`);
    }
    return { baseURL, format, keys: own };
  }

  private alias(field: string, raw: unknown): NonNullable<GatewayConfig["aliases"]>[string] {
    if (Array.isArray(raw)) return raw as readonly string[];
    const { models, policy } = fields(field, raw) as { models: readonly string[]; policy?: unknown };
    if (policy === undefined) return { models };
    if (typeof policy !== "string") return { models, policy: fields(`${field}.policy`, policy) };
    const own = this.parts.ownPolicies?.() ?? new Map<string, Policy>();
    const found = Object.hasOwn(PRESETS, policy) ? PRESETS[policy]?.() : own.get(policy);
    if (found !== undefined) return { models, policy: found };
    const names = [...Object.keys(PRESETS), ...own.keys()];
    throw new InvalidInput(`${field}.policy`, policy, `a policy, or one of ${names.join(", ")}`);
  }
}

function fields(field: string, value: unknown): Json {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new InvalidInput(field, value, "an object");
  return value as Json;
}
