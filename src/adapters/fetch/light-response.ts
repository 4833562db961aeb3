import { answerHeaders } from "./answer-headers.ts";
import { delegateRest } from "./delegate-rest.ts";
import { GENERATION, keepReceipt, type Receipted } from "./receipted.ts";
import type { Incoming } from "./transport/index.ts";

const Base = function Base(): void {} as unknown as new () => object;
Base.prototype = Response.prototype;

/**
 * An answer as a `Response` that costs nothing to make: the head is that of the endpoint's own response, with the receipt among its
 * headers. What a subclass has no quick way for is asked of a plain `Response`, made then.
 */
export abstract class LightResponse extends Base {
  readonly [GENERATION]: Receipted;
  protected readonly from: Incoming;
  protected plain: Response | undefined = undefined;
  private readonly contentType: string | undefined;
  private readonly receipt: Receipted["receipt"];
  private madeHeaders: Headers | undefined = undefined;

  constructor(from: Incoming, generation: Receipted, contentType: string | undefined) {
    super();
    this.from = from;
    this[GENERATION] = generation;
    this.receipt = generation.receipt;
    this.contentType = contentType;
  }

  protected abstract makePlain(head: ResponseInit): Response;

  get status(): number {
    return this.from.status;
  }

  get ok(): boolean {
    return this.from.ok;
  }

  get statusText(): string {
    return this.from.statusText;
  }

  get url(): string {
    return this.from.url;
  }

  get type(): Response["type"] {
    return this.from.type;
  }

  get redirected(): boolean {
    return this.from.redirected;
  }

  get headers(): Headers {
    this.madeHeaders ??= answerHeaders(this.from.headers, this.receipt, this.contentType);
    return this.madeHeaders;
  }

  get bodyUsed(): boolean {
    return this.plain?.bodyUsed === true;
  }

  async text(): Promise<string> {
    return this.toPlain().text();
  }

  async json(): Promise<unknown> {
    return this.toPlain().json();
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return this.toPlain().arrayBuffer();
  }

  async blob(): ReturnType<Response["blob"]> {
    return this.toPlain().blob();
  }

  async formData(): ReturnType<Response["formData"]> {
    return this.toPlain().formData();
  }

  clone(): Response {
    const copy = this.toPlain().clone();
    for (const name of ["url", "redirected"] as const)
      Object.defineProperty(copy, name, { value: this[name], configurable: true });
    return keepReceipt(copy, this[GENERATION]);
  }

  /** A response has nothing to serialise: a logger must not find our own fields, which refer to each other. */
  toJSON(): object {
    return {};
  }

  toPlain(): Response {
    const { status, statusText } = this;
    this.plain ??= this.makePlain({ status, statusText, headers: this.headers });
    return this.plain;
  }
}

// `body`, and whatever newer platforms add.
delegateRest(LightResponse.prototype, Response.prototype);
