import { newUuid } from "../carry/new-uuid.ts";
import type { FallbackModel } from "../settings/schema.ts";
import { plainText } from "../toasts/plain-text.ts";

/** The host's own functions: a trial is one plain call without retries. */
export interface TrialFunctions {
  generateRaw(config: Readonly<Record<string, unknown>>): Promise<unknown>;
  stopGenerationById(id: string): unknown;
}

export type Trial =
  | { readonly type: "running" }
  | { readonly type: "answered"; readonly ms: number }
  | { readonly type: "failed"; readonly reason: string };

export type TryModel = (model: FallbackModel) => Promise<Trial>;

const LIMIT_MS = 30_000;
const PROMPT = "Reply with the single word OK.";

/** Asks a model for one word. Silent, so that the chat's buttons don't change. */
export function createModelTrial({ generateRaw, stopGenerationById }: TrialFunctions): TryModel {
  return async ({ apiurl, key, model, source }) => {
    const id = `secondwind-trial-${newUuid()}`;
    const startMs = performance.now();
    let limit: number | undefined;
    const tooLong = new Promise<never>((_, reject) => {
      limit = window.setTimeout(() => {
        stopGenerationById(id);
        reject(new Error(`no answer within ${LIMIT_MS / 1000} s`));
      }, LIMIT_MS);
    });
    try {
      const call = generateRaw({
        generation_id: id,
        user_input: PROMPT,
        ordered_prompts: [{ role: "user", content: PROMPT }],
        should_stream: false,
        should_silence: true,
        max_chat_history: 0,
        custom_api: { apiurl, key, model, source },
      });
      await Promise.race([call, tooLong]);
      return { type: "answered", ms: Math.round(performance.now() - startMs) };
    } catch (problem) {
      // Errors come from another realm, or are plain strings.
      const { message = problem } = Object(problem) as { readonly message?: unknown };
      return { type: "failed", reason: plainText(String(message)) };
    } finally {
      window.clearTimeout(limit);
    }
  };
}
