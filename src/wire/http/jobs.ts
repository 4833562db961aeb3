import { z } from "zod";
import { messageSchema } from "../message.ts";

/** States of a job, as its port has them. */
const STATES = ["accepted", "running", "waiting", "done", "failed", "cancelled"] as const;

/** `POST /jobs`. The port checks it once more, with the same words. */
export const submitJobSchema = z.strictObject({
  model: z.string().min(1).max(256).describe("`provider/model`, or an alias of gateway.json"),
  fallbacks: z.array(z.string().min(1).max(256)).max(20).optional().describe("models to fall back to, in order"),
  system: z.string().optional(),
  messages: z.array(messageSchema).min(1),
  maxTokens: z.int().min(1).optional(),
  reasoning: z.enum(["low", "medium", "high"]).optional(),
  policy: z
    .union([z.string(), z.record(z.string(), z.unknown())])
    .optional()
    .describe("a preset's name, or changes of `patient`; default `patient`"),
  deadline: z.number().min(0).optional().describe("epoch milliseconds: not done by then is failed"),
  group: z.string().min(1).max(256).optional().describe("joins jobs that belong together"),
});
export type SubmitJob = z.infer<typeof submitJobSchema>;

/** `GET /jobs`. */
export const listJobsSchema = z.object({
  state: z.enum(STATES).optional(),
  group: z.string().max(256).optional(),
  poison: z.enum(["true", "false"]).optional().describe("`true`: only jobs whose workers died again and again"),
  limit: z.coerce.number().int().min(1).max(1000).default(100),
  after: z.string().max(20).optional().describe("`next` of the page before"),
});
export type ListJobs = z.infer<typeof listJobsSchema>;
