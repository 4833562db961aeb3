import { type ByteReader, joinBytes } from "../../../../formats/index.ts";
import type { HeaderList, Incoming, IncomingBody } from "../transport.ts";
import { unpacked } from "./unpacked.ts";

/** Statuses that have no body. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([101, 103, 204, 205, 304]);

export interface WireHead {
  readonly status: number;
  readonly statusText: string;
  readonly headers: HeaderList;
  readonly url: URL;
}

/** An answer that came through the dispatcher. */
export class WireAnswer implements Incoming, IncomingBody {
  readonly status: number;
  readonly statusText: string;
  readonly headers: HeaderList;
  readonly type = "basic";
  readonly redirected = false;
  private readonly at: URL;
  private readonly bytes: ByteReader;

  constructor({ status, statusText, headers, url }: WireHead, bytes: ByteReader) {
    this.status = status;
    this.statusText = statusText;
    this.headers = headers;
    this.at = url;
    this.bytes = bytes;
  }

  get ok(): boolean {
    return this.status >= 200 && this.status <= 299;
  }

  get url(): string {
    const { href, hash } = this.at;
    return hash === "" ? href : href.slice(0, href.indexOf("#"));
  }

  get body(): IncomingBody | null {
    return WITHOUT_BODY.has(this.status) ? null : this;
  }

  getReader(): ByteReader {
    const packing = this.headers.get("content-encoding");
    return packing === null ? this.bytes : unpacked(this.bytes, packing);
  }

  cancel(): Promise<unknown> {
    return this.bytes.cancel();
  }

  async text(): Promise<string> {
    if (this.body === null) return "";
    const reader = this.getReader();
    const chunks: Uint8Array[] = [];
    for (let next = await reader.read(); !next.done; next = await reader.read()) chunks.push(next.value);
    return new TextDecoder().decode(joinBytes(chunks));
  }
}
