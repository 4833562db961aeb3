import { checkStatus, type ErrorInput } from "../../explain/error-input.ts";
import { bodyOf } from "../../explain/parse-paste.ts";
import { InvalidInput } from "../../kernel/index.ts";

/** The options of `secondwind why`, as commander gives them. */
export interface WhyOptions {
  readonly status?: string;
  readonly header?: readonly string[];
  readonly body?: string;
  readonly provider?: string;
  readonly json?: boolean;
  readonly jsonl?: boolean;
  readonly report?: boolean;
}

/** The error as far as the options describe it. Throws `InvalidInput` naming the option. */
export function parseOptions(options: WhyOptions): ErrorInput {
  const { status, header, body, provider } = options;
  return {
    ...(provider !== undefined && { provider: parseProvider(provider) }),
    ...(status !== undefined && { status: checkStatus("--status", /^\d+$/.test(status) ? Number(status) : status) }),
    ...(header !== undefined && { headers: parseHeaders(header) }),
    ...(body !== undefined && body !== "-" && { body: bodyOf(body) }),
  };
}

function parseProvider(provider: string): string {
  if (provider.trim() !== "") return provider.trim();
  throw new InvalidInput("--provider", provider, "a name such as openai, anthropic or google");
}

function parseHeaders(lines: readonly string[]): Readonly<Record<string, string>> {
  const headers = new Map<string, string>();
  for (const line of lines) {
    const found = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]*:\s*([^\r\n]*)$/.exec(line);
    if (found === null) throw new InvalidInput("--header", line, '"name: value", such as "retry-after: 30"');
    const name = (found[1] ?? "").toLowerCase();
    // If a header is repeated, the first one is from the nearest hop.
    if (!headers.has(name)) headers.set(name, (found[2] ?? "").trim());
  }
  return Object.fromEntries(headers);
}
