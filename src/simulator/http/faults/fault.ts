import type { Refusal } from "../dialects/dialect.ts";
import { answerReply, type Scene } from "../wire/answer-reply.ts";
import { bodyOf, jsonReply, type Performance, type Reply, type Step } from "../wire/reply.ts";

/** What a fault has to work with. */
export interface FaultScene extends Scene {
  /** What stands after the number: `137` in `fault-20-137`. */
  readonly parameter?: string | undefined;
  /** All waits are multiplied by it. */
  readonly timeScale: number;
  /** The request's own path with its query. */
  readonly target: string;
  /** Where the same path is answered without a fault, at an origin of its own. */
  readonly otherOrigin: string;
  /** Which request of its connection this is, from 1. */
  readonly requestOfSocket: number;
}

export interface Fault {
  readonly title: string;
  /** What the parameter means; without one there is none. */
  readonly parameter?: string;
  /** `stream`: makes no sense without events. `sse`: nor where the events are a JSON array. */
  readonly needs?: "stream" | "sse";
  readonly perform: (scene: FaultScene) => Performance;
}

export type FaultTable = Readonly<Record<number, Fault>>;

export function reply(value: Reply): Performance {
  return { type: "reply", reply: value };
}

export function wire(steps: Iterable<Step>, status = 200): Performance {
  return { type: "wire", status, steps };
}

/** The parameter as a number; without a usable one the default. */
export function numberIn({ parameter }: FaultScene, otherwise: number): number {
  return parameter !== undefined && /^\d{1,9}$/.test(parameter) ? Number(parameter) : otherwise;
}

/** The good answer, and its body in one piece: what byte faults are done to. */
export function goodBytes(scene: FaultScene): { readonly good: Reply; readonly body: Buffer } {
  const good = answerReply(scene);
  return { good, body: bodyOf(good) };
}

export function refusalReply({ dialect, ask }: Scene, refusal: Omit<Refusal, "model">): Reply {
  const { status, headers, body } = dialect.refuse({ ...refusal, model: ask.model });
  return jsonReply(status, headers, body);
}
