import { checkNumber, checkObject, definePolicy, type Policy } from "../kernel/index.ts";

export interface ConsoleSettings {
  /** The longest wait, in seconds: 1 to 3600. Default 5. */
  readonly maxDelaySeconds?: number;
}

/**
 * A person at a terminal: Fibonacci waits without end, until success or Ctrl-C. A longer wait than the configured maximum is
 * never made, so hints are not honoured; every 429 is retried, and the person is told to look at the quota instead.
 */
export function consolePolicy(settings: ConsoleSettings = {}): Policy {
  const { maxDelaySeconds = 5 } = checkObject("settings", settings, ["maxDelaySeconds"]);
  const capMs = checkNumber("settings.maxDelaySeconds", maxDelaySeconds, { min: 1, max: 3600 }) * 1000;
  return definePolicy({
    name: "console",
    schedules: { general: { type: "fibonacci", unitMs: 1000, capMs } },
    statuses: {
      400: "stop",
      401: "stop",
      403: "stop",
      402: "elsewhere",
      404: "stop",
      422: "stop",
      500: "stop",
    },
    rules: {
      rate_limit: { action: "retry", when: "always" },
      usage_limit: { action: "elsewhere", otherwise: "wait" },
      context_overflow: "stop",
    },
    honourHints: false,
  });
}
