import {
  ConsecutiveBreaker,
  circuitBreaker,
  ExponentialBackoff,
  handleAll,
  retry,
  TimeoutStrategy,
  timeout,
  wrap,
} from "cockatiel";
import OpenAI from "openai";
import { resilient } from "secondwind";

const client = new OpenAI({ maxRetries: 0 });

// Before: three policies in the right order. A bad key opens the breaker like an outage does.
const policy = wrap(
  retry(handleAll, { maxAttempts: 3, backoff: new ExponentialBackoff() }),
  circuitBreaker(handleAll, { halfOpenAfter: 10_000, breaker: new ConsecutiveBreaker(5) }),
  timeout(60_000, TimeoutStrategy.Aggressive),
);
const askBefore = (input: string) =>
  policy.execute(({ signal }) => client.responses.create({ model: "gpt-5.4", input }, { signal }));

// After: one policy, as plain data. Every field has a default: `resilient(call)` alone has a breaker and time limits too.
const askAfter = resilient(
  ({ signal }, input: string) => client.responses.create({ model: "gpt-5.4", input }, { signal }),
  {
    schedules: { general: { type: "exponential", baseMs: 128, capMs: 30_000, jitter: "decorrelated", atMost: 3 } },
    breaker: { failures: 5, cooldownMs: 10_000, maxCooldownMs: 60_000 },
    watchdog: { firstContentMs: 60_000 },
  },
);

console.log((await askBefore("Why is the sky blue?")).output_text);
console.log((await askAfter("Why is the sky blue?")).output_text);
