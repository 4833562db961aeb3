import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { Policy } from "../../kernel/index.ts";
import { clientKeyOf, type PassedHeaders, passedHeaders } from "../upstream/request-headers.ts";
import { InvalidWish, readWishes, type Wishes } from "./read-wishes.ts";

/** What the headers of a request say. */
export interface RequestHead {
  readonly wishes: Wishes | InvalidWish;
  /** The key that the client brings; empty: none, or in the query. */
  readonly key: string;
  readonly isAnthropic: boolean;
  /** What endpoints get of them. */
  readonly passed: PassedHeaders;
}

interface Known {
  readonly head: RequestHead;
  readonly rawHeaders: readonly string[];
  /** Where the value of `content-length` stands, which differs from request to request; -1: there is none. */
  readonly lengthAt: number;
}

/**
 * Reads the headers of requests. A client sends the same ones again and again on its connection: to compare them costs a tenth of
 * reading them.
 */
export class RequestHeads {
  private readonly policies: Readonly<Record<string, Policy>>;
  private readonly known = new WeakMap<object, Known>();

  constructor(policies: Readonly<Record<string, Policy>>) {
    this.policies = policies;
  }

  of(request: IncomingMessage): RequestHead {
    const { socket, rawHeaders } = request;
    const known = this.known.get(socket);
    if (known !== undefined && isSame(known, rawHeaders)) return known.head;
    const { headers } = request;
    const head = {
      wishes: this.wishesIn(headers),
      key: clientKeyOf(headers),
      isAnthropic: headers["anthropic-version"] !== undefined,
      passed: passedHeaders(rawHeaders),
    };
    this.known.set(socket, { head, rawHeaders, lengthAt: placeOfLength(rawHeaders) });
    return head;
  }

  private wishesIn(headers: IncomingHttpHeaders): Wishes | InvalidWish {
    try {
      return readWishes(headers, this.policies);
    } catch (problem) {
      if (problem instanceof InvalidWish) return problem;
      throw problem;
    }
  }
}

function isSame({ rawHeaders: known, lengthAt }: Known, rawHeaders: readonly string[]): boolean {
  if (known.length !== rawHeaders.length) return false;
  for (let at = 0; at < known.length; at++) if (known[at] !== rawHeaders[at] && at !== lengthAt) return false;
  return true;
}

function placeOfLength(rawHeaders: readonly string[]): number {
  const at = rawHeaders.findIndex((name, place) => place % 2 === 0 && name.toLowerCase() === "content-length");
  return at === -1 ? -1 : at + 1;
}
