import type { IncomingMessage } from "node:http";
import type { z } from "zod";
import { show } from "../../../kernel/model/invalid-input.ts";
import { ApiProblem } from "./route.ts";

/** Values of these are secrets, and are not repeated. */
const SECRET_FIELDS: ReadonlySet<string> = new Set(["key", "token"]);

/** Throws `ApiProblem` naming the parameter. */
export function parseQuery<T>(schema: z.ZodType<T>, given: URLSearchParams): T {
  const values: Record<string, string> = Object.create(null);
  for (const [name, value] of given) {
    if (name in values) throw new ApiProblem(400, `${name} must be given once`, name);
    values[name] = value;
  }
  return check(schema, { ...values });
}

/** Throws `ApiProblem` naming the field. */
export async function parseBody<T>(schema: z.ZodType<T>, request: IncomingMessage, maxBytes: number): Promise<T> {
  const [type = ""] = (request.headers["content-type"] ?? "").split(";", 1);
  if (type.trim().toLowerCase() !== "application/json")
    throw new ApiProblem(415, "content-type must be application/json", "content-type");
  if (request.headers["content-encoding"] !== undefined)
    throw new ApiProblem(415, "content-encoding must be absent", "content-encoding");
  const bytes = await readBytes(request, maxBytes);
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    // Not the parser's message: it quotes the body.
    throw new ApiProblem(400, "The body must be JSON in UTF-8");
  }
  return check(schema, value);
}

function check<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue?.path ?? [];
  const field = path.map(String).join(".");
  const name = field === "" ? "The request" : field;
  const said = (issue?.message ?? "Invalid input").replace(/^Invalid input: /, "");
  const got = path.some((part) => SECRET_FIELDS.has(String(part))) ? "" : `; got ${show(valueAt(value, path))}`;
  throw new ApiProblem(400, `${name}: ${said}${got}`, ...(field === "" ? [] : [field]));
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, part) => {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, part)) return undefined;
    return (at as Record<PropertyKey, unknown>)[part];
  }, value);
}

/** All of the body, or a `413` as soon as it is known to be too large. */
function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const tooLarge = new ApiProblem(413, `The body must have at most ${maxBytes} bytes`);
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) return Promise.reject(tooLarge);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (act: () => void): void => {
      request.off("data", take).off("end", finish).off("error", fail).off("close", fail);
      act();
    };
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= maxBytes) return void chunks.push(chunk);
      request.pause();
      end(() => reject(tooLarge));
    };
    const finish = (): void => end(() => resolve(Buffer.concat(chunks)));
    const fail = (): void => end(() => reject(new ApiProblem(400, "The body ended too early")));
    request.on("data", take).on("end", finish).on("error", fail).on("close", fail);
  });
}
