import type { ProviderError } from "../dialects/errors.ts";
import { answerReply, type ReplyContext } from "../wire/answer-reply.ts";
import { bodyOf, type Reaction, type Reply, type SocketAction } from "../wire/reply.ts";

/** What a fault works with. */
export interface FaultContext extends ReplyContext {
  /** What follows the number: `137` in `fault-20-137`. */
  readonly parameter?: string | undefined;
  /** Multiplies all waits. */
  readonly timeScale: number;
  /** The path of the request, with its query. */
  readonly target: string;
  /** A second origin, where the same path is answered without a fault. */
  readonly otherOrigin: string;
  /** Which request of its connection this is, from 1. */
  readonly requestOfSocket: number;
}

export interface FaultDescription {
  readonly title: string;
  /** What the parameter means; undefined: the fault has none. */
  readonly parameter?: string;
  /** `stream`: only possible in a stream. `sse`: only in a stream of server-sent events. */
  readonly needs?: "stream" | "sse";
}

export interface Fault extends FaultDescription {
  readonly react: (context: FaultContext) => Reaction;
}

export type FaultTable = Readonly<Record<number, Fault>>;

/** Every request below this path is answered well: faults 11 and 12 redirect to it. */
export const REDIRECT_TARGET = "/_sim/landed";

export function reply(value: Reply): Reaction {
  return { type: "reply", reply: value };
}

export function wire(actions: Iterable<SocketAction>, status = 200): Reaction {
  return { type: "wire", status, actions };
}

/** The parameter as a number, or the default if it is missing or not a number. */
export function numberIn({ parameter }: FaultContext, otherwise: number): number {
  return parameter !== undefined && /^\d{1,9}$/.test(parameter) ? Number(parameter) : otherwise;
}

/** The good answer and its whole body, for faults that change bytes. */
export function goodBytes(context: FaultContext): { readonly good: Reply; readonly body: Buffer } {
  const good = answerReply(context);
  return { good, body: bodyOf(good) };
}

export function errorReply({ dialect, request }: ReplyContext, error: Omit<ProviderError, "model">): Reply {
  return dialect.errorReply({ ...error, model: request.model });
}
