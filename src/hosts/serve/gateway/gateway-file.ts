import { readFileSync, statSync, unwatchFile, watchFile } from "node:fs";
import type { OpenedAssembly } from "../../../assembly/index.ts";
import type { GatewayConfig, GatewayEndpoint } from "../../../gateway/index.ts";
import { makeDirectory } from "../../../gateway/route/directory.ts";
import { InvalidInput } from "../../../kernel/index.ts";
import { PRESETS } from "../../../presets/presets.ts";

/** How often the file is looked at. */
const LOOK_MS = 500;
/** Keys stand in the vault, not in the file. */
const FROM_VAULT = "vault";

type Json = Readonly<Record<string, unknown>>;

/** The gateway's configuration, in a file that may be edited while the server runs. */
export class GatewayFile {
  private readonly path: string;
  private readonly assembly: Pick<OpenedAssembly, "keysFor" | "ports">;

  constructor(path: string, assembly: Pick<OpenedAssembly, "keysFor" | "ports">) {
    this.path = path;
    this.assembly = assembly;
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
  watch(onChange: (config: GatewayConfig) => void): () => void {
    const look = (): void => {
      try {
        onChange(this.read());
      } catch (fault) {
        this.assembly.ports.reportFault(fault, "gateway.json (the previous configuration still applies)");
      }
    };
    // Not `watch`, which misses files that are replaced by another.
    watchFile(this.path, { interval: LOOK_MS, persistent: false }, look);
    return () => unwatchFile(this.path, look);
  }

  private parse(text: string): GatewayConfig {
    const value = parseJson(text);
    const { endpoints = {}, aliases = {}, ...others } = fields("the file", value);
    const [unknown] = Object.keys(others);
    if (unknown !== undefined)
      throw new InvalidInput(unknown, others[unknown], "absent: fields are endpoints, aliases");
    return {
      endpoints: Object.fromEntries(
        Object.entries(fields("endpoints", endpoints)).map(([name, raw]) => [name, this.endpoint(name, raw)]),
      ),
      aliases: Object.fromEntries(
        Object.entries(fields("aliases", aliases)).map(([name, raw]) => [name, alias(`aliases.${name}`, raw)]),
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
    const own = this.assembly.keysFor(name, origin);
    // Without any, the endpoint would get the client's key, which is not what the file says.
    if (own.length === 0)
      throw new InvalidInput(`endpoints.${name}.keys`, keys, `absent, or have a key: secondwind keys add ${name}`);
    return { baseURL, format, keys: own };
  }
}

function alias(field: string, raw: unknown): NonNullable<GatewayConfig["aliases"]>[string] {
  if (Array.isArray(raw)) return raw as readonly string[];
  const { models, policy } = fields(field, raw) as { models: readonly string[]; policy?: unknown };
  if (policy === undefined) return { models };
  if (typeof policy !== "string") return { models, policy: fields(`${field}.policy`, policy) };
  const preset = PRESETS[policy];
  if (preset === undefined)
    throw new InvalidInput(`${field}.policy`, policy, `a policy, or one of ${Object.keys(PRESETS).join(", ")}`);
  return { models, policy: preset() };
}

function fields(field: string, value: unknown): Json {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new InvalidInput(field, value, "an object");
  return value as Json;
}

/** A syntax error with its line. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (fault) {
    const message = fault instanceof Error ? fault.message : String(fault);
    const at = Number(/position (\d+)/.exec(message)?.[1] ?? text.length);
    const line = text.slice(0, at).split("\n").length;
    throw new Error(`line ${line}: ${message}`);
  }
}
