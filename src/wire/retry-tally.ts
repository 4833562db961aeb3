import { z } from "zod";

const count = z.int().nonnegative();
const milliseconds = z.number().nonnegative();

/** C7: how retries fared. A wait that was cancelled is no retry: no call came of it. */
export const retryTallySchema = z.object({
  generations: count,
  retries: count,
  retried: count.describe("generations in which something was retried"),
  recovered: count.describe("those of them that got their answer"),
  cancelled: count.describe("those that the user ended"),
  waitedMs: milliseconds.describe("waits before retries, in all"),
  retryingMs: milliseconds.describe("from the first failure to the end, in all"),
  statuses: z
    .record(z.string(), z.object({ failures: count, retries: count, worked: count }))
    .describe("by HTTP status, or by kind where no status says what failed"),
});

export type RetryTally = Readonly<z.infer<typeof retryTallySchema>>;
