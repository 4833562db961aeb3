/** The families of wire formats. Within one of them a request can go to another endpoint unchanged but for its model and key. */
export type WireFormat = "openai" | "anthropic" | "gemini";

export interface RecognisedCall {
  readonly format: WireFormat;
  /**
   * `generation`: a model answers, with a terminal marker. `query`: one JSON value, such as embeddings or a count of tokens, which
   * costs little and can be asked for again like a generation.
   */
  readonly what: "generation" | "query";
  /** Where the path goes on behind the endpoint's base URL, as the SDKs of this format count it. */
  readonly pathAt: number;
  /** Gemini has the model in the path: where it stands. */
  readonly model?: { readonly from: number; readonly to: number };
}

const OPENAI = /\/(?:chat\/completions|responses(?:\/input_tokens)?|completions|embeddings|moderations)$/;
// Not the messages of a thread, which OpenAI's assistants have: those would be added twice.
const ANTHROPIC = /\/v1\/messages(?:\/count_tokens)?$/;
const GEMINI =
  /\/v1(?:beta|alpha)?\d*\/(?:[^?]*\/)?(?:models|tunedModels)\/([^/:]+):(generateContent|streamGenerateContent|countTokens|embedContent|batchEmbedContents)$/;
const QUERIES = /(?:embeddings|moderations|input_tokens|count_tokens|countTokens|[eE]mbedContents?)$/;

/** What a request asks for, by its method and path. Undefined: no generation, so only its method says whether it can be repeated. */
export function recogniseCall(method: string, path: string): RecognisedCall | undefined {
  if (method !== "POST") return undefined;
  const what = QUERIES.test(path) ? "query" : "generation";
  const openai = OPENAI.exec(path);
  if (openai !== null) return { format: "openai", what, pathAt: openai.index };
  const anthropic = ANTHROPIC.exec(path);
  if (anthropic !== null) return { format: "anthropic", what, pathAt: anthropic.index };
  const gemini = GEMINI.exec(path);
  if (gemini === null) return undefined;
  const [whole, model = "", action = ""] = gemini;
  const to = gemini.index + whole.length - action.length - 1;
  return { format: "gemini", what, pathAt: gemini.index, model: { from: to - model.length, to } };
}
