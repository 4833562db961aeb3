import { CREATED_SECONDS } from "../answer/answer.ts";
import { BEHAVIOUR_NAMES } from "../behaviour/parse-behaviour.ts";
import type { Provider } from "./dialect.ts";

/** The models that can be asked for, in the provider's shape; undefined: this is no path for that. */
export function listModels(path: string, provider: Provider): unknown {
  const found = /^\/v1(?:beta|alpha)?\/models(?:\/(.+))?$/.exec(path);
  if (found === null) return undefined;
  const one = found[1];
  if (one !== undefined) return describe(one, provider);
  const all = BEHAVIOUR_NAMES.filter((name) => !name.includes("<")).map((name) => describe(name, provider));
  switch (provider) {
    case "openai":
      return { object: "list", data: all };
    case "anthropic":
      return { data: all, has_more: false, first_id: BEHAVIOUR_NAMES[0], last_id: null };
    case "gemini":
      return { models: all };
    default:
      return provider satisfies never;
  }
}

function describe(id: string, provider: Provider): object {
  switch (provider) {
    case "openai":
      return { id, object: "model", created: CREATED_SECONDS, owned_by: "secondwind" };
    case "anthropic":
      return { type: "model", id, display_name: id, created_at: new Date(CREATED_SECONDS * 1000).toISOString() };
    case "gemini":
      return {
        name: `models/${id}`,
        version: "sim",
        displayName: id,
        inputTokenLimit: 1_048_576,
        outputTokenLimit: 65_536,
        supportedGenerationMethods: ["generateContent", "embedContent"],
      };
    default:
      return provider satisfies never;
  }
}
