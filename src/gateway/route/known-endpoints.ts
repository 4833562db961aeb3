import type { WireFormat } from "../../formats/index.ts";
import { CATALOGUE } from "../../providers/catalogue.ts";
import type { Speech } from "../../providers/endpoint.ts";
import type { GatewayEndpoint } from "../options.ts";

const FORMATS: Readonly<Record<Speech, WireFormat>> = {
  anthropic: "anthropic",
  "openai-responses": "openai",
  "openai-chat": "openai",
  google: "gemini",
};

/** The endpoints that are known by name, with nothing set up. Each gets the client's own key, and no other does. */
export const KNOWN_ENDPOINTS: Readonly<Record<string, GatewayEndpoint>> = {
  ...Object.fromEntries(
    CATALOGUE.map(({ name, baseUrl, speech }) => [name, { baseURL: baseUrl, format: FORMATS[speech] }]),
  ),
  ollama: { baseURL: "http://127.0.0.1:11434/v1", format: "openai" },
};

/** Whom a request without a name is for: the provider that its format belongs to. */
export const OWNER_OF_FORMAT: Readonly<Record<WireFormat, string>> = {
  openai: "openai",
  anthropic: "anthropic",
  gemini: "google",
};
