import { checkNumber, checkObject, definePolicy, type Policy } from "../kernel/index.ts";

export interface ConsoleSettings {
  /** The longest wait, in seconds: 1 to 3600. Default 5. */
  readonly maxDelaySeconds?: number;
}

/** What is not promised to be retried may still pass. Every empty answer is paid for, so that has an end. */
const OTHERS = { action: "retry", schedule: "others" } as const;
const OTHERS_AT_MOST = 3;

/**
 * A person at a terminal: Fibonacci waits without end, until success or Ctrl-C, for what C2 lists: 429, 502, 503 and its like 529,
 * 504, connection failures, timeouts. Empty and broken answers, other 5xx and unknown errors are tried three times more. A longer
 * wait than the configured maximum is never made, so hints are not honoured. A used-up quota is retried only if it says when it
 * returns; other 429s always, with a warning to check the quota.
 */
export function consolePolicy(settings: ConsoleSettings = {}): Policy {
  const { maxDelaySeconds = 5 } = checkObject("settings", settings, ["maxDelaySeconds"]);
  const capMs = checkNumber("settings.maxDelaySeconds", maxDelaySeconds, { min: 1, max: 3600 }) * 1000;
  return definePolicy({
    name: "console",
    schedules: {
      general: { type: "fibonacci", unitMs: 1000, capMs },
      others: { type: "fibonacci", unitMs: 1000, capMs, atMost: OTHERS_AT_MOST },
    },
    statuses: {
      400: "stop",
      401: "stop",
      403: "stop",
      402: "elsewhere",
      404: "stop",
      422: "stop",
      500: "stop",
      502: { action: "retry", schedule: "general" },
    },
    rules: {
      rate_limit: { action: "retry", when: "always" },
      usage_limit: { action: "elsewhere", otherwise: "wait" },
      context_overflow: "stop",
      server: OTHERS,
      invalid_content: OTHERS,
      stream_broken: OTHERS,
      unknown: OTHERS,
    },
    honourHints: false,
  });
}
