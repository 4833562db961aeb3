import { LightResponse } from "./light-response.ts";
import { GENERATION, type Receipted } from "./receipted.ts";
import type { Incoming } from "./transport/index.ts";

interface Held {
  readonly text: string;
  /** Undefined: it is no JSON. */
  readonly value: unknown;
}

/**
 * A response whose body has been read. It serves what was read, and its JSON as it was parsed: to make a stream of it, and to read and
 * parse that, would cost a call a tenth more.
 */
class HeldResponse extends LightResponse {
  private readonly held: string;
  private value: unknown;
  private readonly given: string | undefined;
  private isUsed = false;

  constructor(from: Incoming, { text, value }: Held, generation: Receipted, contentType: string | undefined) {
    super(from, generation, contentType);
    this.held = text;
    this.value = value;
    this.given = contentType;
  }

  override get bodyUsed(): boolean {
    return this.isUsed || super.bodyUsed;
  }

  override async text(): Promise<string> {
    if (this.plain !== undefined) return this.plain.text();
    this.use();
    return this.held;
  }

  override async json(): Promise<unknown> {
    if (this.plain !== undefined) return this.plain.json();
    this.use();
    const { value } = this;
    this.value = undefined;
    return value === undefined ? JSON.parse(this.held) : value;
  }

  override clone(): Response {
    if (this.bodyUsed) throw new TypeError("Response.clone: Body has already been consumed.");
    const { held, from, given } = this;
    const value: unknown = this.value === undefined ? undefined : JSON.parse(held);
    return holdResponse(from, { text: held, value }, this[GENERATION], given);
  }

  protected override makePlain(head: ResponseInit): Response {
    const plain = new Response(this.held, head);
    // A response that has been read still has a body, which counts as read.
    if (this.isUsed) void plain.text();
    return plain;
  }

  private use(): void {
    if (this.isUsed) throw new TypeError("Body is unusable: Body has already been read");
    this.isUsed = true;
  }
}

/** `contentType`: what it is, where the endpoint says something else. */
export function holdResponse(
  from: Incoming,
  held: Held,
  generation: Receipted,
  contentType: string | undefined,
): Response {
  return new HeldResponse(from, held, generation, contentType) as unknown as Response;
}
