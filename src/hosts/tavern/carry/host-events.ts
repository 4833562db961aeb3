import type { EventListenerOf } from "../host/host.ts";
import type { Carrier } from "./carrier.ts";

/** What the carrier hears of the host's events, by their names. */
export function hostEvents(carrier: Carrier): ReadonlyMap<string, EventListenerOf> {
  return new Map<string, EventListenerOf>([
    ["js_generation_started", (id) => carrier.heardStart(id)],
    // Only this one has the whole text: the other token event may add text of its own to an empty token.
    ["js_stream_token_received_fully", (text, id) => carrier.heardText(text, id)],
    ["generation_stopped", (id) => carrier.heardStop(id)],
  ]);
}
