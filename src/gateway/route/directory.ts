import { checkBaseUrl, type WireFormat } from "../../formats/index.ts";
import { definePolicy, InvalidInput, isPolicy, type Policy, type PolicyInput } from "../../kernel/index.ts";
import type { GatewayAlias, GatewayConfig, GatewayEndpoint } from "../options.ts";
import { KNOWN_ENDPOINTS } from "./known-endpoints.ts";
import { Plans } from "./plan.ts";
import { Routes } from "./routes.ts";

/** An endpoint, checked. */
export interface Endpoint {
  readonly name: string;
  readonly base: URL;
  /** Scheme, host and port of the base. */
  readonly origin: string;
  readonly format: WireFormat;
  /** Empty: the client's own key. */
  readonly keys: readonly string[];
}

export interface Alias {
  readonly format: WireFormat;
  readonly models: readonly { readonly endpoint: Endpoint; readonly model: string }[];
  readonly policy: Policy | PolicyInput | undefined;
}

/** Where requests may go: endpoints and aliases by name. */
export interface Directory {
  readonly endpoints: ReadonlyMap<string, Endpoint>;
  readonly aliases: ReadonlyMap<string, Alias>;
  readonly plans: Plans;
  readonly routes: Routes;
}

const NAME = /^[a-z0-9][a-z0-9._-]*$/i;
const FORMATS: readonly string[] = ["openai", "anthropic", "gemini"];
/** Paths that are no endpoint's name. */
const RESERVED: ReadonlySet<string> = new Set(["v1", "v1beta", "v1alpha", "api", "chat", "ws", "metrics", "health"]);

/** Checks a configuration. A mistake throws `InvalidInput`, which names the field, the value and what is allowed. */
export function makeDirectory({ endpoints = {}, aliases = {} }: GatewayConfig): Directory {
  const known = new Map<string, Endpoint>();
  for (const [name, endpoint] of Object.entries({ ...KNOWN_ENDPOINTS, ...endpoints }))
    known.set(name, checkEndpoint(`endpoints.${name}`, name, endpoint));
  return {
    plans: new Plans(),
    routes: new Routes(known),
    endpoints: known,
    aliases: new Map(
      Object.entries(aliases).map(([name, alias]) => [name, checkAlias(`aliases.${name}`, alias, known)]),
    ),
  };
}

function checkEndpoint(field: string, name: string, { baseURL, format, keys = [] }: GatewayEndpoint): Endpoint {
  if (!NAME.test(name) || RESERVED.has(name))
    throw new InvalidInput(field, name, `a name of letters, digits, ".", "_" and "-" that is no path of the server`);
  const base = typeof baseURL === "string" && URL.canParse(baseURL) ? new URL(baseURL) : undefined;
  if (base === undefined || !/^https?:$/.test(base.protocol))
    throw new InvalidInput(`${field}.baseURL`, baseURL, "an http or https URL");
  checkBaseUrl(`${field}.baseURL`, base);
  if (!FORMATS.includes(format)) throw new InvalidInput(`${field}.format`, format, "openai, anthropic or gemini");
  const list = typeof keys === "string" ? [keys] : keys;
  // A key is never quoted.
  if (!Array.isArray(list) || !list.every((key) => typeof key === "string" && /^[\x21-\x7e]+$/.test(key)))
    throw new InvalidInput(`${field}.keys`, `${typeof keys}`, "a key or a list of keys: printable ASCII, no spaces");
  return { name, base, origin: base.origin, format, keys: [...new Set(list)] };
}

function checkAlias(
  field: string,
  raw: GatewayAlias | readonly string[],
  endpoints: ReadonlyMap<string, Endpoint>,
): Alias {
  const alias: GatewayAlias = isList(raw) ? { models: raw } : raw;
  if (!isList(alias.models) || alias.models.length === 0)
    throw new InvalidInput(`${field}.models`, alias.models, "a list of at least one endpoint/model");
  const models = alias.models.map((selector, index) => checkModel(`${field}.models[${index}]`, selector, endpoints));
  const [first] = models as [(typeof models)[number]];
  models.forEach(({ endpoint }, index) => {
    if (endpoint.format !== first.endpoint.format)
      throw new InvalidInput(
        `${field}.models[${index}]`,
        alias.models[index],
        `a model of the format of the first one, ${first.endpoint.format}`,
      );
  });
  checkPolicy(field, alias.policy);
  return { format: first.endpoint.format, models, policy: alias.policy };
}

/** Checked now, not at the first request for the alias. */
function checkPolicy(field: string, policy: GatewayAlias["policy"]): void {
  if (policy === undefined || isPolicy(policy)) return;
  try {
    definePolicy(policy);
  } catch (problem) {
    if (!(problem instanceof InvalidInput)) throw problem;
    throw new InvalidInput(`${field}.${problem.field}`, undefined, problem.allowed, `${field}.${problem.message}`);
  }
}

function checkModel(
  field: string,
  selector: unknown,
  endpoints: ReadonlyMap<string, Endpoint>,
): Alias["models"][number] {
  const [, name = "", model = ""] = /^([^/]+)\/(.+)$/.exec(typeof selector === "string" ? selector : "") ?? [];
  const endpoint = endpoints.get(name);
  if (endpoint === undefined || model === "")
    throw new InvalidInput(field, selector, `endpoint/model, with an endpoint of ${[...endpoints.keys()].join(", ")}`);
  return { endpoint, model };
}

function isList(value: unknown): value is readonly string[] {
  return Array.isArray(value);
}
