import { CREATED_SECONDS } from "../answer/answer.ts";
import { BEHAVIOUR_NAMES } from "../behaviour/parse-behaviour.ts";
import { WEATHER_MODELS } from "../behaviour/weather.ts";
import type { Provider } from "./dialect.ts";

/** The models that are listed; any other name works as well. */
export const MODELS: readonly string[] = [...WEATHER_MODELS, ...BEHAVIOUR_NAMES.filter((name) => !name.includes("<"))];

interface ModelList {
  readonly list: (models: readonly object[]) => object;
  readonly model: (id: string) => object;
}

const SHAPES: Readonly<Record<Provider, ModelList>> = {
  openai: {
    list: (data) => ({ object: "list", data }),
    model: (id) => ({ id, object: "model", created: CREATED_SECONDS, owned_by: "secondwind" }),
  },
  anthropic: {
    list: (data) => ({ data, has_more: false, first_id: MODELS[0], last_id: null }),
    model: (id) => ({
      type: "model",
      id,
      display_name: id,
      created_at: new Date(CREATED_SECONDS * 1000).toISOString(),
    }),
  },
  gemini: {
    list: (models) => ({ models }),
    model: (id) => ({
      name: `models/${id}`,
      version: "sim",
      displayName: id,
      inputTokenLimit: 1_048_576,
      outputTokenLimit: 65_536,
      supportedGenerationMethods: ["generateContent", "embedContent"],
    }),
  },
};

/** All models, or the one in the path, in the provider's format; undefined: not a path for that. */
export function listModels(path: string, provider: Provider): unknown {
  const found = /^\/v1(?:beta|alpha)?\/models(?:\/(.+))?$/.exec(path);
  if (found === null) return undefined;
  const { list, model } = SHAPES[provider];
  if (found[1] !== undefined) return model(found[1]);
  return list(MODELS.map(model));
}
