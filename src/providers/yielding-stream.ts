import type { Ports } from "../kernel/index.ts";
import type { ProviderEvent } from "./provider.ts";

/** The event loop waits no longer than this for a stream whose events have all arrived. */
const LONGEST_BURST_MS = 10;

/**
 * A provider's stream that gives the event loop its turn. Events that have all arrived follow each other in microtasks alone:
 * without a break no key would be read and no timer would fire before the last one. An event that took as long as a burst may
 * was awaited, so the loop had its turn already: a slow stream gets no breaks.
 */
export async function* yieldingStream(
  open: () => AsyncIterable<ProviderEvent>,
  { now }: Pick<Ports, "now">,
  thrownProblem: (thrown: unknown) => unknown = (thrown) => thrown,
): AsyncGenerator<ProviderEvent> {
  let turnAt = now();
  let askedAt = turnAt;
  try {
    for await (const event of open()) {
      const arrivedAt = now();
      if (arrivedAt - askedAt >= LONGEST_BURST_MS) turnAt = arrivedAt;
      yield event;
      askedAt = now();
      if (askedAt - turnAt < LONGEST_BURST_MS) continue;
      await new Promise((resolve) => setImmediate(resolve));
      turnAt = askedAt = now();
    }
  } catch (thrown) {
    throw thrownProblem(thrown);
  }
}
