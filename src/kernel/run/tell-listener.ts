import type { EventBody, GenerationEvent } from "../model/event.ts";
import type { Generation } from "./generation.ts";

/**
 * A listener that throws or rejects is reported; the generation goes on. `body` itself becomes the event: a copy would cost more than
 * all that most listeners do.
 */
export function tellListener(generation: Generation, body: EventBody): void {
  const { listener, ports } = generation.setup;
  try {
    const event = body as unknown as { -readonly [Field in keyof GenerationEvent]: GenerationEvent[Field] };
    event.generationId = generation.id;
    event.at = ports.wallNow();
    const heard: unknown = listener?.(event as GenerationEvent, generation);
    if (heard instanceof Promise) heard.catch((fault) => ports.reportFault(fault, "listener"));
  } catch (fault) {
    ports.reportFault(fault, "listener");
  }
}
