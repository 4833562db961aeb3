import type { GenerationEvent } from "../kernel/index.ts";
import type { Redact } from "../wire/index.ts";

type AttemptStart = Extract<GenerationEvent, { type: "attempt-start" }>;

/**
 * The names without secrets: a person may paste a key into the wrong field. All of them are looked at as one text, because to walk
 * through an object costs more than everything else that is written down.
 */
export function redactNames<T extends object>(names: T, redact: Redact): T {
  let text = "";
  for (const name of Object.values(names)) text += `${name}\n`;
  return redact(text) === text ? names : redact(names);
}

export function withSafeTarget(event: AttemptStart, redact: Redact): AttemptStart {
  const target = redactNames(event.target, redact);
  return target === event.target ? event : { ...event, target };
}
