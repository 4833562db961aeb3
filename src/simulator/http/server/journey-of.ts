import type { ModelRequest } from "../answer/model-request.ts";
import type { Journey } from "../answer/prose/journey.ts";
import { hashOf } from "../answer/seeded.ts";
import type { SimulatorState } from "./simulator-state.ts";

/** Who asks what: the same for every attempt at one question, with whatever model and key. */
interface Asker {
  readonly model: string;
  /** The key without its number: `sim#1` and `sim#2` belong to one client. */
  readonly client: string;
  readonly key: number | undefined;
  readonly question: string;
}

export function askerOf({ model, prompt, inputChars }: ModelRequest, key: string): Asker {
  const [, client = key, number] = /^(.*)#(\d{1,3})$/.exec(key) ?? [];
  // The conversation's length stands for what came before. The model's name is part of the request, and may change.
  const question = `${hashOf(client)}-${hashOf(prompt, inputChars - model.length)}`;
  return { model, client, key: number === undefined ? undefined : Number(number), question };
}

/** What a request went through, for the answer to tell. */
export function journeyOf(
  { model, client, key, question }: Asker,
  chosen: { readonly name: string },
  { trails, weather, fault }: SimulatorState,
): Journey {
  const follows = fault === undefined ? chosen.name === weather : chosen.name === fault.name;
  return {
    model,
    key,
    trail: trails.of(question),
    previous: trails.lastOf(client),
    weather: follows ? (fault === undefined ? weather : "fault") : undefined,
  };
}

/** `failure`: what happened to the call, in words; undefined: it was answered. */
export function remember(
  { model, client, key, question }: Asker,
  failure: string | undefined,
  state: SimulatorState,
): void {
  if (failure === undefined) state.trails.answered(question, client);
  else state.trails.failed(question, { model, key, what: failure });
}
