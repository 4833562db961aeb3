import type { AttemptContext } from "../../kernel/index.ts";
import { checkObject, checkString } from "../../kernel/index.ts";
import { providerName } from "./provider-name.ts";

/** What the options of every kind of call have. */
interface CallOptions {
  readonly abortSignal?: AbortSignal;
  readonly headers?: Record<string, string | undefined>;
  readonly providerOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Headers that carry a secret: they belong to the provider that the caller has named first. */
const SECRET = /^(?:(?:proxy-)?authorization|cookie|(?:x-)?(?:goog-)?api-key)$/i;

const KNOWN = ["id"];

const ATTEMPT = Symbol("attempt");

/**
 * Made when the provider asks for it: a signal costs more than all the rest of a good call. One descriptor for all, because a
 * getter of its own would give each object its own shape.
 */
const LAZY_SIGNAL = {
  get(this: { readonly [ATTEMPT]: AttemptContext }): AbortSignal {
    return this[ATTEMPT].signal;
  },
  set(value: unknown): void {
    Object.defineProperty(this, "abortSignal", { value, writable: true, enumerable: true, configurable: true });
  },
  enumerable: true,
  configurable: true,
};

/**
 * The caller's options for one attempt: with the attempt's own signal, which aborts when the attempt is given up, and with what else
 * we ask for.
 */
export function attemptOptions<O extends CallOptions>(
  options: O,
  context: AttemptContext,
  primary: string,
  more?: Partial<O>,
): O {
  const own: Record<PropertyKey, unknown> = { [ATTEMPT]: context };
  Object.defineProperty(own, "abortSignal", LAZY_SIGNAL);
  // One by one, after the signal: a getter that is added to a copy costs several times the copy.
  for (const name in options) if (name !== "abortSignal") own[name] = options[name];
  for (const name in more) own[name] = more[name];
  const { headers } = options;
  const isElsewhere = headers !== undefined && context.target.provider !== providerName(primary);
  if (isElsewhere) own.headers = withoutSecrets(headers);
  return own as O;
}

function withoutSecrets(headers: Readonly<Record<string, string | undefined>>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !SECRET.test(name)));
}

/** The generation's id, which a caller may give: `providerOptions: { secondwind: { id } }`. Empty: none was given. */
export function generationId({ providerOptions }: CallOptions): string {
  const own = providerOptions?.secondwind;
  if (own === undefined) return "";
  const { id = "" } = checkObject("providerOptions.secondwind", own, KNOWN);
  return checkString("providerOptions.secondwind.id", id);
}
