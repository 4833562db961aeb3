import { createHash } from "node:crypto";
import { z } from "zod";
import { checkNumber, checkObject, checkString, definePolicy, InvalidInput, isPolicy, show } from "../kernel/index.ts";
import { PRESETS, patientPolicy } from "../presets/index.ts";
import { messageSchema } from "../wire/message.ts";
import type { JobRequest, SubmitOptions } from "./job.ts";
import { JobsError } from "./jobs-error.ts";

/** A job that was checked and is to be stored. */
export interface NewJob {
  readonly id: string;
  readonly key: string | null;
  readonly group: string | null;
  readonly model: string;
  readonly policyName: string;
  readonly deadline: number | null;
  /** JSON. */
  readonly request: string;
  readonly policy: string;
  /** Whether two submits with one key ask for the same. */
  readonly fingerprint: string;
}

const LONGEST_NAME = 256;
const CONTROL = /\p{Cc}/u;
const plainName = z
  .string()
  .min(1)
  .max(LONGEST_NAME)
  .refine((text) => !CONTROL.test(text), "must have no control characters");

/** Jobs have no tools: a conversation with tool calls in it may be sent, but no new ones can come. */
const requestSchema = z.strictObject({
  model: plainName,
  fallbacks: z.array(plainName).max(20).optional(),
  system: z.string().optional(),
  messages: z.array(messageSchema).min(1, "must have at least one message"),
  maxTokens: z.int().min(1).optional(),
  reasoning: z.enum(["low", "medium", "high"]).optional(),
});

/** Throws `InvalidInput`, or `JobsError` for a request that is too large. */
export function newJob(
  id: string,
  request: JobRequest,
  { key, group, policy = "patient", deadline, ...rest }: SubmitOptions,
  maxBytes: number,
): NewJob {
  checkObject("options", rest, []);
  const parsed = requestSchema.safeParse(request);
  if (!parsed.success) throw invalidRequest(request, parsed.error);
  const policyName = checkPolicy(policy);
  if (deadline !== undefined) checkNumber("options.deadline", deadline, { min: 0, max: Number.MAX_SAFE_INTEGER });
  const texts = { request: JSON.stringify(parsed.data), policy: JSON.stringify(policy) };
  const bytes = Buffer.byteLength(texts.request) + Buffer.byteLength(texts.policy);
  if (bytes > maxBytes) throw tooLarge("request", bytes, maxBytes);
  return {
    ...{ id, policyName, ...texts },
    key: key === undefined ? null : checkName("options.key", key),
    group: group === undefined ? null : checkName("options.group", group),
    model: request.model,
    deadline: deadline ?? null,
    fingerprint: createHash("sha256").update(`${texts.request}\n${texts.policy}`).digest("base64url"),
  };
}

/** A key, a name or a group as Redis and people can take it. */
export function checkName(field: string, value: unknown): string {
  const text = checkString(field, value);
  if (text.length > 0 && text.length <= LONGEST_NAME && !CONTROL.test(text)) return text;
  throw new InvalidInput(field, value, `a text of 1 to ${LONGEST_NAME} characters without control characters`);
}

/** Whether a job may have this id. Any other is unknown, whatever is in it. */
export function isJobId(id: string): boolean {
  return /^[\w-]{1,100}$/.test(id);
}

function checkPolicy(policy: unknown): string {
  if (typeof policy !== "string") {
    checkObject("options.policy", policy);
    return isPolicy(policy) ? policy.name : definePolicy(policy as object, patientPolicy()).name;
  }
  if (Object.hasOwn(PRESETS, policy)) return policy;
  throw new InvalidInput("options.policy", policy, `one of ${Object.keys(PRESETS).join(", ")}, or an object`);
}

export function tooLarge(what: "request" | "result", bytes: number, maxBytes: number): JobsError {
  return new JobsError("too-large", `The ${what} has ${bytes} bytes as JSON; at most ${maxBytes} are allowed.`);
}

export function keyReused(key: string): JobsError {
  const words = `The key ${show(key)} belongs to a job with another request. Use a new key for a new request.`;
  return new JobsError("key-reused", words);
}

function invalidRequest(request: unknown, error: z.ZodError): InvalidInput {
  const [issue] = error.issues;
  const field = ["request", ...(issue?.path ?? [])].map(String).join(".");
  const said = (issue?.message ?? "invalid").replace(/^Invalid input: /, "");
  return new InvalidInput(field, request, said, `${field}: ${said}`);
}
