import type { ByteReader } from "../../../formats/index.ts";
import type { CancelMark } from "../../../library/cancel-mark.ts";

/** A request as one target gets it. */
export interface Outgoing {
  readonly url: URL;
  /** In upper case. */
  readonly method: string;
  readonly headers: Headers;
  readonly body: RequestInit["body"];
  /** The same as `fetch` takes it: as the caller gave it, where it is unchanged, and with whatever else the caller has set. */
  readonly init: RequestInit;
  /** Redirects are followed by us: see `send`. */
  readonly followsRedirects: boolean;
  readonly cancel: CancelMark;
  /** The caller's own signal, where the body is the caller's to read: the attempt has ended by then. */
  readonly bodySignal?: AbortSignal | undefined;
}

/** The head of an answer, and its body to be read: what we use of a `Response`. */
export interface Incoming {
  readonly status: number;
  readonly ok: boolean;
  readonly statusText: string;
  readonly url: string;
  readonly type: Response["type"];
  readonly redirected: boolean;
  readonly headers: HeaderList;
  readonly body: IncomingBody | null;
  text(): Promise<string>;
}

/** Headers to be looked up, listed in the order of their names. */
export interface HeaderList extends Iterable<[name: string, value: string]> {
  get(name: string): string | null;
  has(name: string): boolean;
  forEach(visit: (value: string, name: string) => void): void;
}

export interface IncomingBody {
  getReader(): ByteReader;
  cancel(): Promise<unknown>;
}

/** Sends a request once. Rejects as `fetch` does. The mark of the request ends it, whatever it is doing. */
export type Transport = (request: Outgoing) => Promise<Incoming>;

/** A transport for some requests. Undefined: this is none of them. */
export type Shortcut = (request: Outgoing) => Promise<Incoming> | undefined;
