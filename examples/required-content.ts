import { resilient } from "secondwind";

declare function generate(prompt: string): Promise<string>;

/** An answer without a JSON block is a failure like any other, and is retried. */
export const askForJson = resilient((_context, prompt: string) => generate(prompt), {
  require: { pattern: "```json\\s*\\{" },
  schedules: { general: { type: "fixed", delayMs: 500, atMost: 3 } },
});
