import type { Ports } from "../kernel/index.ts";
import type { ProviderEvent } from "./provider.ts";

/** So many events in less time than this have arrived together. The time is long enough for a process that is hardly scheduled. */
const BURST_EVENTS = 32;
const BURST_MS = 250;

/**
 * A provider's stream that gives the event loop its turn. Events that have all arrived follow each other in microtasks alone:
 * without a break no key would be read and no timer would fire before the last one. A break costs microseconds, and a stream
 * that comes in slowly gets none.
 */
export async function* yieldingStream(
  open: () => AsyncIterable<ProviderEvent>,
  { now }: Pick<Ports, "now">,
  thrownProblem: (thrown: unknown) => unknown = (thrown) => thrown,
): AsyncGenerator<ProviderEvent> {
  let events = 0;
  let sinceMs = now();
  try {
    for await (const event of open()) {
      yield event;
      if (++events % BURST_EVENTS !== 0) continue;
      if (now() - sinceMs < BURST_MS) await new Promise((resolve) => setImmediate(resolve));
      sinceMs = now();
    }
  } catch (thrown) {
    throw thrownProblem(thrown);
  }
}
