/** As much of a `Response` as is taken over as it is: its types do not let the rest be replaced. */
const Head = Response as unknown as new (
  body: null,
  init: ResponseInit,
) => Pick<Response, "status" | "statusText" | "headers" | "url">;

/**
 * A response whose body has been read. It serves what was read, and its JSON as it was parsed: to make a stream of it, and to read and
 * parse that, would cost a call a tenth more. Everything but `json` and `text` makes a plain `Response` first.
 */
class HeldResponse extends Head {
  private readonly held: string;
  private value: unknown;
  private plain: Response | undefined = undefined;
  private isUsed = false;

  constructor(text: string, value: unknown, init: ResponseInit) {
    super(null, init);
    this.held = text;
    this.value = value;
  }

  get body(): Response["body"] {
    return this.toPlain().body;
  }

  get bodyUsed(): boolean {
    return this.isUsed || this.plain?.bodyUsed === true;
  }

  async text(): Promise<string> {
    if (this.plain !== undefined) return this.plain.text();
    this.use();
    return this.held;
  }

  async json(): Promise<unknown> {
    if (this.plain !== undefined) return this.plain.json();
    this.use();
    const { value } = this;
    this.value = undefined;
    return value === undefined ? JSON.parse(this.held) : value;
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
    if (this.bodyUsed) throw new TypeError("Response.clone: Body has already been consumed.");
    const { status, statusText, headers, held } = this;
    const value: unknown = this.value === undefined ? undefined : JSON.parse(held);
    const copy = holdResponse(held, value, { status, statusText, headers });
    return Object.defineProperty(copy, "url", { value: this.url, configurable: true });
  }

  private use(): void {
    if (this.isUsed) throw new TypeError("Body is unusable: Body has already been read");
    this.isUsed = true;
  }

  private toPlain(): Response {
    if (this.isUsed && this.plain === undefined) this.use();
    const { status, statusText, headers } = this;
    this.plain ??= new Response(this.held, { status, statusText, headers });
    return this.plain;
  }
}

export function holdResponse(text: string, value: unknown, init: ResponseInit): Response {
  return new HeldResponse(text, value, init) as unknown as Response;
}
