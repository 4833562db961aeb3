import { setImmediate } from "node:timers/promises";
import type { Provider } from "../../providers/provider.ts";
import type { ProviderSet } from "../../session/index.ts";

/** A key waits no longer than this for a stream that has much to say. */
const BREATH_MS = 10;

/**
 * The same providers, with a pause for keys and timers in streams whose pieces have all arrived: those follow each other
 * without ever going back to the event loop, so that Esc would not be read, nor a watchdog set back, before the last one.
 */
export function breathing(providers: ProviderSet): ProviderSet {
  return new Map(
    [...providers].map(([name, entry]) => [name, { ...entry, provider: breathingProvider(entry.provider) }]),
  );
}

function breathingProvider(provider: Provider): Provider {
  return {
    name: provider.name,
    async *stream(request, signal) {
      let breathedAt = performance.now();
      for await (const event of provider.stream(request, signal)) {
        yield event;
        if (performance.now() - breathedAt < BREATH_MS) continue;
        await setImmediate();
        breathedAt = performance.now();
      }
    },
  };
}
