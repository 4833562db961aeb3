import type { LanguageModelV3CallOptions } from "@ai-sdk/provider";
import type { Vault } from "../../credentials/index.ts";
import { type Endpoint, originOf } from "../endpoint.ts";
import { httpLine } from "../line/http-line.ts";
import type { Line } from "../line/line.ts";
import { type LineOptions, oneCall } from "../line/one-call.ts";
import type { EmbedRequest, Provider, ProviderError, ProviderEvent, ProviderRequest } from "../provider.ts";
import { ProviderProblem, toProviderError } from "../provider-problem.ts";
import { streamModel } from "./stream-model.ts";
import { toPrompt } from "./to-prompt.ts";
import { type OpenSettings, WIRINGS, type Wiring } from "./wirings.ts";

interface ProviderParts {
  readonly endpoint: Endpoint;
  readonly vault: Vault;
  /** How requests are sent. Default: over the network. */
  readonly line?: Line;
}

/** A provider whose wire format the AI SDK speaks. Each request is one call: nothing in here tries again. */
export function aiSdkProvider(parts: ProviderParts): Provider {
  const { endpoint, vault } = parts;
  const { name } = endpoint;
  const wiring = WIRINGS[endpoint.speech];
  const source = { provider: name, redact: vault.redact };
  return {
    name,
    stream(request, signal): AsyncIterable<ProviderEvent> {
      return streamModel(
        {
          ...source,
          open: async (onKeepAlive) =>
            wiring.open(settingsFor(parts, request, { expects: "events", onKeepAlive, ...headOf(request) })),
          options: callOptions(request, wiring, name),
        },
        signal,
      );
    },
    ...(wiring.openEmbedding !== undefined && {
      embed: async (request: EmbedRequest, signal: AbortSignal) => {
        try {
          const model = await wiring.openEmbedding?.(settingsFor(parts, request, { expects: "json" }));
          const made = await model?.doEmbed({ values: [...request.texts], abortSignal: signal });
          return checkVectors(made?.embeddings ?? [], request.texts.length);
        } catch (problem) {
          if (signal.aborted) throw signal.reason;
          throw new ProviderProblem(toProviderError(problem, source));
        }
      },
    }),
  };
}

/** Throws when there is no key that may go there. */
function settingsFor(
  { endpoint, vault, line = httpLine }: ProviderParts,
  { model, credential: wanted }: Pick<ProviderRequest, "model" | "credential">,
  expected: Pick<LineOptions, "expects" | "onKeepAlive" | "onHead">,
): OpenSettings {
  const { name, baseUrl } = endpoint;
  const origin = originOf(endpoint);
  // The engine's targets have an empty id where there is nothing to choose from.
  const credential = wanted === "" ? undefined : wanted;
  const apiKey = vault.secretFor({ provider: name, credential, origin });
  const isMissing = apiKey === undefined && (endpoint.needsKey || credential !== undefined);
  if (isMissing) throw new ProviderProblem(missingKey(endpoint, credential));
  return { name, model, baseURL: baseUrl, apiKey: apiKey ?? "", fetch: oneCall({ ...expected, origin, line }) };
}

function headOf({ onHead }: ProviderRequest): Pick<LineOptions, "onHead"> {
  return onHead === undefined ? {} : { onHead };
}

function missingKey(endpoint: Endpoint, credential: string | undefined): ProviderError {
  const { name, keyVariables } = endpoint;
  const which = credential === undefined ? `No API key for ${name}` : `No API key ${credential}`;
  return {
    type: "error",
    message: `${which} (${originOf(endpoint)}): set ${keyVariables[0]}, or run secondwind keys add ${name}`,
    retryable: false,
    code: "missing_api_key",
  };
}

function callOptions(request: ProviderRequest, wiring: Wiring, name: string): LanguageModelV3CallOptions {
  const { tools, maxTokens, sampling, json } = request;
  const { stop, ...drawing } = sampling ?? {};
  return {
    ...drawing,
    ...(stop !== undefined && { stopSequences: [...stop] }),
    ...(json !== undefined && { responseFormat: { type: "json", ...json } }),
    prompt: toPrompt(request, name),
    providerOptions: wiring.options(request, name),
    ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
    ...(tools !== undefined &&
      tools.length > 0 && {
        tools: tools.map(({ name: tool, description, parameters }) => ({
          type: "function" as const,
          name: tool,
          description,
          inputSchema: parameters,
        })),
      }),
  };
}

/** A vector for each text, or none of them is of use. */
function checkVectors(vectors: readonly number[][], count: number): readonly (readonly number[])[] {
  if (vectors.length === count) return vectors;
  throw Object.assign(new Error(`${vectors.length} vectors came for ${count} texts`), { code: "malformed_response" });
}
