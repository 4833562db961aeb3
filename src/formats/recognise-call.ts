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
  /** Gemini and Google's Vertex AI have the model in the path: where it stands. */
  readonly model?: ModelInPath;
}

interface ModelInPath {
  readonly from: number;
  readonly to: number;
  /** Such a path says, too, whether a stream is asked for. */
  readonly isStreaming: boolean;
}

const OPENAI = /\/(?:chat\/completions|responses(?:\/input_tokens)?|completions|embeddings|moderations)$/;
// Not the messages of a thread, which OpenAI's assistants have: those would be added twice.
const ANTHROPIC = /\/v1\/messages(?:\/count_tokens)?$/;
const GEMINI =
  /\/v1(?:beta|alpha)?\d*\/(?:[^?]*\/)?(?:models|tunedModels)\/([^/:]+):(generateContent|streamGenerateContent|countTokens|embedContent|batchEmbedContents)$/;
/** Claude on Vertex AI. Its token count has a model of that name. */
const VERTEX = /\/v1\/(?:[^?]*\/)?publishers\/anthropic\/models\/([^/:]+):(rawPredict|streamRawPredict)$/;
const QUERIES =
  /(?:count-tokens:rawPredict|embeddings|moderations|input_tokens|count_tokens|countTokens|[eE]mbedContents?)$/;

/** What a request asks for, by its method and path. Undefined: no generation, so only its method says whether it can be repeated. */
export function recogniseCall(method: string, path: string): RecognisedCall | undefined {
  if (method !== "POST") return undefined;
  const what = QUERIES.test(path) ? "query" : "generation";
  const openai = OPENAI.exec(path);
  if (openai !== null) return { format: "openai", what, pathAt: openai.index };
  const anthropic = ANTHROPIC.exec(path);
  if (anthropic !== null) return { format: "anthropic", what, pathAt: anthropic.index };
  const vertex = VERTEX.exec(path);
  if (vertex !== null) return { format: "anthropic", what, pathAt: vertex.index, model: modelIn(vertex) };
  const gemini = GEMINI.exec(path);
  return gemini === null ? undefined : { format: "gemini", what, pathAt: gemini.index, model: modelIn(gemini) };
}

function modelIn({ index, 0: whole, 1: model = "", 2: action = "" }: RegExpExecArray): ModelInPath {
  const to = index + whole.length - action.length - 1;
  return { from: to - model.length, to, isStreaming: action.startsWith("stream") };
}
