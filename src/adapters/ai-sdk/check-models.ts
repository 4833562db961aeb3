import { InvalidInput } from "../../kernel/index.ts";

/** What models of every kind have. */
export interface Model {
  readonly specificationVersion: "v3";
  readonly provider: string;
  readonly modelId: string;
}

/** A model or a list of them as a list. Throws `InvalidInput` for anything else. */
export function checkModels<M extends Model>(given: M | readonly M[], methods: readonly (keyof M & string)[]): M[] {
  if (!Array.isArray(given)) return [checkModel("model", given as M, methods)];
  if (given.length === 0) throw new InvalidInput("models", given, "at least one model");
  return given.map((model, index) => checkModel(`models[${index}]`, model, methods));
}

function checkModel<M extends Model>(field: string, model: M, methods: readonly (keyof M & string)[]): M {
  const allowed = 'a model of the AI SDK 6, such as openai("gpt-5.4")';
  if (typeof model !== "object" || model === null) throw new InvalidInput(field, model, allowed);
  const { specificationVersion: version, provider, modelId } = model;
  if (version !== "v3") throw new InvalidInput(`${field}.specificationVersion`, version, '"v3" (the AI SDK 6)');
  if (typeof provider !== "string") throw new InvalidInput(`${field}.provider`, provider, "a string");
  if (typeof modelId !== "string" || modelId.trim() === "")
    throw new InvalidInput(`${field}.modelId`, modelId, "the name of a model");
  for (const method of methods) {
    if (typeof model[method] !== "function") throw new InvalidInput(`${field}.${method}`, model[method], "a function");
  }
  return model;
}
