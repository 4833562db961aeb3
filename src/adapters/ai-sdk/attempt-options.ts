import type { AttemptContext } from "../../kernel/index.ts";
import { InvalidInput } from "../../kernel/index.ts";
import { providerName } from "./provider-name.ts";

/** What the options of every kind of call have. */
interface CallOptions {
  readonly abortSignal?: AbortSignal;
  readonly headers?: Record<string, string | undefined>;
  readonly providerOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Headers that carry a secret: they belong to the provider that the caller has named first. */
const SECRET = /^(?:(?:proxy-)?authorization|cookie|(?:x-)?(?:goog-)?api-key)$/i;

/** The caller's options for one attempt: with the attempt's own signal, which aborts when the attempt is given up. */
export function attemptOptions<O extends CallOptions>(options: O, context: AttemptContext, primary: string): O {
  const { headers } = options;
  const isElsewhere = headers !== undefined && context.target.provider !== providerName(primary);
  return {
    ...options,
    ...(isElsewhere && { headers: withoutSecrets(headers) }),
    // Made when the provider asks for it: a signal costs as much as all the rest of a good call.
    get abortSignal() {
      return context.signal;
    },
  };
}

function withoutSecrets(headers: Readonly<Record<string, string | undefined>>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !SECRET.test(name)));
}

/** The generation's id, which a caller may give: `providerOptions: { secondwind: { id } }`. Empty: none was given. */
export function generationId({ providerOptions }: CallOptions): string {
  const id = providerOptions?.secondwind?.id;
  if (id === undefined) return "";
  if (typeof id === "string") return id;
  throw new InvalidInput("providerOptions.secondwind.id", id, "a string");
}
