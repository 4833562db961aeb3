import { splitKeys } from "../credentials/index.ts";
import { checkBaseUrl } from "../formats/index.ts";
import { InvalidInput } from "../kernel/index.ts";
import { CATALOGUE, type CatalogueEntry } from "./catalogue.ts";
import type { Endpoint } from "./endpoint.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

const OWN_SERVER = /^SECONDWIND_([A-Z][A-Z0-9_]*?)_BASE_URL$/;

/**
 * Where models can be asked at: the known providers, and servers of one's own that speak OpenAI's chat format
 * (`SECONDWIND_MY_BOX_BASE_URL` makes `my-box`). Throws `InvalidInput` naming the variable.
 */
export function readEndpoints(env: Environment): readonly Endpoint[] {
  const own = Object.keys(env).flatMap((variable) => {
    const prefix = OWN_SERVER.exec(variable)?.[1];
    return prefix === undefined || !isSet(env[variable]) ? [] : [ownServer(prefix, env)];
  });
  return [...CATALOGUE.map((entry) => configured(entry, env)), ...own];
}

function configured({ baseUrlVariable, version, ...endpoint }: CatalogueEntry, env: Environment): Endpoint {
  const given = env[baseUrlVariable];
  if (!isSet(given)) return endpoint;
  const url = parseBaseUrl(baseUrlVariable, given);
  const hasVersion = /\/v\d\w*(?:\/|$)/.test(url);
  // What stands in for OpenAI elsewhere rarely knows the Responses API; chat they all know.
  const speech = endpoint.speech === "openai-responses" ? "openai-chat" : endpoint.speech;
  return { ...endpoint, speech, baseUrl: hasVersion ? url : url + version };
}

function ownServer(prefix: string, env: Environment): Endpoint {
  const name = prefix.toLowerCase().replaceAll("_", "-");
  const variable = `SECONDWIND_${prefix}_BASE_URL`;
  const known = CATALOGUE.find((entry) => entry.name === name);
  if (known !== undefined || name === "sim") {
    const instead = known === undefined ? "another name" : known.baseUrlVariable;
    throw new InvalidInput(
      variable,
      shownUrl(env[variable] ?? ""),
      `unset, because ${name} is a known provider (use ${instead})`,
    );
  }
  return {
    name,
    title: name,
    speech: "openai-chat",
    baseUrl: parseBaseUrl(variable, env[variable] ?? ""),
    keyVariables: [`SECONDWIND_${prefix}_API_KEY`],
    needsKey: false,
    models: splitKeys(env[`SECONDWIND_${prefix}_MODELS`]),
    embeddings: [],
  };
}

/** Without a trailing slash. */
export function parseBaseUrl(field: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isUsable = url !== undefined && /^https?:$/.test(url.protocol) && url.username === "" && url.search === "";
  if (isUsable) {
    checkBaseUrl(field, url);
    return url.href.replace(/\/+$/, "");
  }
  throw new InvalidInput(
    field,
    shownUrl(text),
    "an http(s) URL without a login and a query, such as http://127.0.0.1:11434/v1",
  );
}

/** A URL with a login in it is a secret. */
function shownUrl(text: string): string {
  return URL.canParse(text) ? new URL(text).origin : text.replace(/[^/]*@/, "…@");
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value.trim() !== "";
}
