import type { StreamCore } from "../../library/direct-stream/index.ts";
import { directStream } from "../../library/direct-stream/index.ts";
import { LightResponse } from "./light-response.ts";
import type { Receipted } from "./receipted.ts";
import type { Incoming } from "./transport/index.ts";

/** A response whose body is read directly. */
class StreamedResponse extends LightResponse {
  private readonly core: StreamCore<Uint8Array>;
  private stream: ReadableStream<Uint8Array> | undefined = undefined;

  constructor(from: Incoming, core: StreamCore<Uint8Array>, generation: Receipted) {
    super(from, generation, undefined);
    this.core = core;
  }

  get body(): Response["body"] {
    if (this.plain !== undefined) return this.plain.body;
    this.stream ??= directStream(this.core);
    return this.stream as Response["body"];
  }

  override get bodyUsed(): boolean {
    return this.core.isDisturbed || super.bodyUsed;
  }

  protected override makePlain(head: ResponseInit): Response {
    if (this.core.isDisturbed) throw new TypeError("Body is unusable: Body has already been read");
    return new Response(this.body, head);
  }
}

export function streamResponse(from: Incoming, core: StreamCore<Uint8Array>, generation: Receipted): Response {
  return new StreamedResponse(from, core, generation) as unknown as Response;
}

/** A response that is passed on as it came, but for the receipt. */
class PassedResponse extends LightResponse {
  declare protected readonly from: Response;

  protected override makePlain(): Response {
    return this.from;
  }

  override get bodyUsed(): boolean {
    return this.from.bodyUsed;
  }
}

export function passResponse(from: Response, generation: Receipted): Response {
  return new PassedResponse(from, generation, undefined) as unknown as Response;
}
