import type { IncomingHttpHeaders } from "node:http";
import type { Policy } from "../../kernel/index.ts";

/** What one request asks of the gateway, by its `x-secondwind-` headers. */
export interface Wishes {
  readonly policy: string | undefined;
  readonly maxWaitMs: number | undefined;
  readonly id: string;
  /** Seconds between keep-alive comments. */
  readonly keepAliveMs: number | undefined;
}

export class InvalidWish extends Error {
  readonly header: string;

  constructor(header: string, value: string, allowed: string) {
    super(`${header} must be ${allowed}; got ${JSON.stringify(value.slice(0, 60))}`);
    this.header = header;
  }
}

const NONE: Wishes = { policy: undefined, maxWaitMs: undefined, id: "", keepAliveMs: undefined };
const MOST_WAIT_S = 28_800;
const KEEP_ALIVE_S = { least: 1, most: 300 };

/** Throws {@link InvalidWish}. */
export function readWishes(headers: IncomingHttpHeaders, policies: Readonly<Record<string, Policy>>): Wishes {
  const policy = headers["x-secondwind-policy"];
  const maxWait = headers["x-secondwind-max-wait"];
  const id = headers["x-secondwind-id"];
  const keepAlive = headers["x-secondwind-keepalive"];
  if (policy === undefined && maxWait === undefined && id === undefined && keepAlive === undefined) return NONE;
  if (policy !== undefined && !Object.hasOwn(policies, String(policy)))
    throw new InvalidWish("x-secondwind-policy", String(policy), `one of ${Object.keys(policies).join(", ")}`);
  if (id !== undefined && !/^[\w.:-]{1,128}$/.test(String(id)))
    throw new InvalidWish("x-secondwind-id", String(id), 'up to 128 letters, digits, ".", ":", "_" and "-"');
  return {
    policy: policy === undefined ? undefined : String(policy),
    maxWaitMs: seconds("x-secondwind-max-wait", maxWait, 0, MOST_WAIT_S),
    id: id === undefined ? "" : String(id),
    keepAliveMs: seconds("x-secondwind-keepalive", keepAlive, KEEP_ALIVE_S.least, KEEP_ALIVE_S.most),
  };
}

function seconds(
  header: string,
  value: string | string[] | undefined,
  least: number,
  most: number,
): number | undefined {
  if (value === undefined) return undefined;
  const number = /^\d{1,6}(?:\.\d{1,3})?$/.test(String(value)) ? Number(value) : Number.NaN;
  if (!(number >= least && number <= most))
    throw new InvalidWish(header, String(value), `a number of seconds from ${least} to ${most}`);
  return number * 1000;
}
