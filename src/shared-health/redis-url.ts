import { InvalidInput } from "../kernel/index.ts";

/** Where a Redis is, and how to log in. */
export interface RedisPlace {
  readonly host: string;
  readonly port: number;
  readonly db: number;
  readonly username?: string;
  readonly password?: string;
  readonly isTls: boolean;
  /** `host:port`, for people. */
  readonly shown: string;
}

const ALLOWED = "a URL such as redis://127.0.0.1:6379/0 or rediss://user:password@host:6380";
const USUAL_PORT = 6379;

/** Throws `InvalidInput`, which never contains the URL: it may hold a password, in any place of a mistyped one. */
export function parseRedisUrl(field: string, text: string): RedisPlace {
  const wrong = (why: string): InvalidInput =>
    new InvalidInput(field, "(hidden)", ALLOWED, `${field} must be ${ALLOWED}; ${why}. The value is not shown`);
  if (text.trim() === "") throw wrong("it is empty");
  let url: URL;
  try {
    url = new URL(text.trim());
  } catch {
    throw wrong("it is no URL");
  }
  const { protocol, hostname, port, pathname, username, password } = url;
  if (protocol !== "redis:" && protocol !== "rediss:") throw wrong("it does not start with redis:// or rediss://");
  if (hostname === "") throw wrong("it names no host");
  const db = pathname === "" || pathname === "/" ? "0" : pathname.slice(1);
  if (!/^\d{1,5}$/.test(db)) throw wrong("its path is not the number of a database");
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  return {
    host,
    port: port === "" ? USUAL_PORT : Number(port),
    db: Number(db),
    ...(username !== "" && { username: decode(username, wrong) }),
    ...(password !== "" && { password: decode(password, wrong) }),
    isTls: protocol === "rediss:",
    shown: `${hostname}:${port === "" ? USUAL_PORT : port}`,
  };
}

function decode(part: string, wrong: (why: string) => InvalidInput): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw wrong("its user or password has a % that is not written as %25");
  }
}

const USUAL_PREFIX = "secondwind";
const MOST_PREFIX = 64;

/** What all keys begin with: two fleets on one Redis have two of them. */
export function checkPrefix(field: string, prefix: string = USUAL_PREFIX): string {
  if (/^[\w:.-]+$/.test(prefix) && prefix.length <= MOST_PREFIX) return prefix;
  throw new InvalidInput(field, prefix, `1 to ${MOST_PREFIX} letters, digits or any of _ : . -`);
}
