import { checkNumber, checkObject, checkOneOf, checkString, InvalidInput } from "../../../kernel/index.ts";
import type { Sampling } from "../../../providers/provider.ts";
import { parseSelector } from "../../../wire/selector.ts";
import type { LineRequest } from "./batch-line.ts";
import { parseMessages } from "./parse-messages.ts";

type Fields = Readonly<Record<string, unknown>>;

/** What is understood. */
const FIELDS = [
  "model",
  "messages",
  "prompt",
  "system",
  "max_tokens",
  "max_completion_tokens",
  "reasoning_effort",
  "temperature",
  "top_p",
  "stop",
  "seed",
  "presence_penalty",
  "frequency_penalty",
  "response_format",
] as const;
/** These change nothing about the answer. */
const IGNORED: ReadonlySet<string> = new Set([
  "id",
  "stream",
  "stream_options",
  "user",
  "metadata",
  "store",
  "service_tier",
  "safety_identifier",
  "prompt_cache_key",
]);
const KNOWN: ReadonlySet<string> = new Set(FIELDS);
const EFFORTS = ["low", "medium", "high"] as const;

/**
 * A request as people write it, or the body of OpenAI's chat completions. A field that would be lost is an error: an answer that
 * ignores it would look right and be wrong. Throws `InvalidInput`.
 */
export function parseRequest(at: string, fields: Fields, speech?: "openai"): LineRequest {
  for (const [name, value] of Object.entries(fields)) {
    if (KNOWN.has(name) || IGNORED.has(name) || value === null || (name === "n" && value === 1)) continue;
    throw new InvalidInput(`${at}${name}`, value, `absent: known are ${FIELDS.join(", ")}`);
  }
  const { prompt, messages, system } = fields;
  if (prompt !== undefined && messages !== undefined) {
    throw new InvalidInput(`${at}prompt`, prompt, "absent where there are messages");
  }
  const asked =
    prompt === undefined
      ? parseMessages(`${at}messages`, messages)
      : { messages: [{ role: "user" as const, content: filled(`${at}prompt`, prompt) }] };
  const systems = [...(system == null ? [] : [checkString(`${at}system`, system)]), ...(asked.system ?? [])];
  const maxTokens = numberOf(fields, at, ["max_completion_tokens", "max_tokens"], { min: 1, integer: true });
  const effort = fields.reasoning_effort;
  const sampling = samplingOf(at, fields);
  const json = jsonOf(`${at}response_format`, fields.response_format);
  const model = modelOf(`${at}model`, fields.model, speech);
  return {
    messages: asked.messages,
    ...(model !== undefined && { model }),
    ...(systems.length > 0 && { system: systems.join("\n\n") }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(effort != null && { reasoning: checkOneOf(`${at}reasoning_effort`, effort, EFFORTS) }),
    ...(sampling !== undefined && { sampling }),
    ...(json !== undefined && { json }),
  };
}

/** In OpenAI's format a model has no provider in front of it. */
function modelOf(field: string, given: unknown, speech: "openai" | undefined): string | undefined {
  if (given == null) return undefined;
  const model = checkString(field, given);
  if (parseSelector(model) !== undefined) return model;
  const own = `${speech ?? ""}/${model}`;
  if (speech !== undefined && parseSelector(own) !== undefined) return own;
  throw new InvalidInput(field, given, "provider/model");
}

function filled(field: string, given: unknown): string {
  const text = checkString(field, given);
  if (text.trim() === "") throw new InvalidInput(field, given, "a text that is not empty");
  return text;
}

type Bounds = Parameters<typeof checkNumber>[2];

function numberOf(fields: Fields, at: string, names: readonly string[], bounds: Bounds): number | undefined {
  const name = names.find((one) => fields[one] != null);
  return name === undefined ? undefined : checkNumber(`${at}${name}`, fields[name], bounds);
}

function samplingOf(at: string, fields: Fields): Sampling | undefined {
  const temperature = numberOf(fields, at, ["temperature"], { min: 0, max: 2 });
  const topP = numberOf(fields, at, ["top_p"], { min: 0, max: 1 });
  const seed = numberOf(fields, at, ["seed"], { min: Number.MIN_SAFE_INTEGER, integer: true });
  const presencePenalty = numberOf(fields, at, ["presence_penalty"], { min: -2, max: 2 });
  const frequencyPenalty = numberOf(fields, at, ["frequency_penalty"], { min: -2, max: 2 });
  const stop = stopOf(`${at}stop`, fields.stop);
  const sampling = {
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(seed !== undefined && { seed }),
    ...(presencePenalty !== undefined && { presencePenalty }),
    ...(frequencyPenalty !== undefined && { frequencyPenalty }),
    ...(stop !== undefined && { stop }),
  };
  return Object.keys(sampling).length === 0 ? undefined : sampling;
}

function stopOf(field: string, given: unknown): readonly string[] | undefined {
  if (given == null) return undefined;
  const words: unknown[] = Array.isArray(given) ? given : [given];
  return words.map((word, at) => checkString(Array.isArray(given) ? `${field}[${at}]` : field, word));
}

function jsonOf(field: string, given: unknown): LineRequest["json"] {
  if (given == null) return undefined;
  const { type, json_schema: wanted } = checkObject(field, given);
  switch (checkOneOf(`${field}.type`, type, ["text", "json_object", "json_schema"])) {
    case "text":
      return undefined;
    case "json_object":
      return {};
    default: {
      const { schema, name } = checkObject(`${field}.json_schema`, wanted);
      return {
        schema: checkObject(`${field}.json_schema.schema`, schema),
        ...(name !== undefined && { name: checkString(`${field}.json_schema.name`, name) }),
      };
    }
  }
}
