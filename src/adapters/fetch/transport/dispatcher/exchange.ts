import { ByteQueue } from "../../../../formats/index.ts";
import type { Incoming, Outgoing } from "../transport.ts";
import { WireAnswer } from "./wire-answer.ts";
import { type RawHeaders, readHeaders } from "./wire-headers.ts";

type Stop = (reason: unknown) => void;

/** One request at the dispatcher, and its answer as it comes. */
export abstract class Exchange extends ByteQueue {
  private readonly request: Outgoing;
  private readonly resolve: (answer: Incoming) => void;
  private readonly reject: (error: unknown) => void;
  private hasAnswer = false;

  constructor(request: Outgoing, resolve: (answer: Incoming) => void, reject: (error: unknown) => void) {
    super();
    this.request = request;
    this.resolve = resolve;
    this.reject = reject;
    request.cancel.onAbort(() => void this.cancel());
  }

  /** Closes the connection of a request that has one. */
  protected abstract stop(reason: unknown): void;

  // What the dispatcher's callbacks come down to.

  /** It has a connection. */
  protected begin(): void {
    if (this.hasFailed) this.stop(aborted());
  }

  protected answer(status: number, raw: RawHeaders, statusText: string): void {
    // 103 Early Hints and their like: the answer follows.
    if (status < 200 || this.hasFailed) return;
    this.hasAnswer = true;
    const { url } = this.request;
    this.resolve(new WireAnswer({ status, statusText, headers: readHeaders(raw), url }, this));
  }

  /** A copy, as `fetch` makes one: a reader may transfer it, and several of them come out of one read of the socket. */
  protected override push(bytes: Uint8Array): boolean {
    return super.push(new Uint8Array(bytes));
  }

  protected break(cause: unknown): void {
    if (this.hasFailed) return;
    const error = new TypeError(this.hasAnswer ? "terminated" : "fetch failed", { cause });
    this.reject(error);
    this.fail(error);
  }

  /** Closes the connection, unless the answer has been received to its end. */
  override cancel(): Promise<void> {
    if (this.isOver || this.hasFailed) return Promise.resolve();
    const { cancel } = this.request;
    const reason = cancel.aborted && cancel.reason !== undefined ? cancel.reason : aborted();
    this.reject(reason);
    this.fail(reason);
    this.stop(aborted());
    return Promise.resolve();
  }
}

function aborted(): DOMException {
  return new DOMException("The operation was aborted.", "AbortError");
}

/** With the callbacks of undici 6 and 7. */
export class LegacyExchange extends Exchange {
  private abort: Stop | undefined = undefined;
  private resume: (() => void) | undefined = undefined;

  onConnect(abort: Stop): void {
    this.abort = abort;
    this.begin();
  }

  onHeaders(status: number, headers: RawHeaders, resume: () => void, statusText: string): boolean {
    this.resume = resume;
    this.answer(status, headers, statusText);
    return true;
  }

  onData(bytes: Uint8Array): boolean {
    return this.push(bytes);
  }

  onComplete(): void {
    this.end();
  }

  onError(error: unknown): void {
    this.break(error);
  }

  protected override stop(reason: unknown): void {
    this.abort?.(reason);
  }

  protected override resumeSource(): void {
    this.resume?.();
  }
}

interface Controller {
  readonly rawHeaders?: unknown;
  abort(reason: unknown): void;
  pause(): void;
  resume(): void;
}

/** With the callbacks of undici 8. */
export class ControllerExchange extends Exchange {
  private controller: Controller | undefined = undefined;

  onRequestStart(controller: Controller): void {
    this.controller = controller;
    this.begin();
  }

  onResponseStart(
    controller: Controller,
    status: number,
    headers: Readonly<Record<string, string | string[]>> | undefined,
    statusText = "",
  ): void {
    const { rawHeaders } = controller;
    const raw = Array.isArray(rawHeaders) ? (rawHeaders as RawHeaders) : Object.entries(headers ?? {}).flat(1);
    this.answer(status, raw, statusText);
  }

  onResponseData(controller: Controller, bytes: Uint8Array): void {
    if (!this.push(bytes)) controller.pause();
  }

  onResponseEnd(): void {
    this.end();
  }

  onResponseError(_: unknown, error: unknown): void {
    this.break(error);
  }

  protected override stop(reason: unknown): void {
    this.controller?.abort(reason);
  }

  protected override resumeSource(): void {
    this.controller?.resume();
  }
}
