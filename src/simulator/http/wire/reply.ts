import type { FrameRole } from "../dialects/dialect.ts";

/** Part of a body, and the wait before it. */
export interface Piece {
  readonly bytes: Buffer;
  readonly role: FrameRole;
  readonly afterMs: number;
}

/** A response that node:http can send. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly pieces: readonly Piece[];
  /** Sent in chunks, because the length is not known. */
  readonly isStream: boolean;
  /** `done`: complete. `hold`: nothing more comes. `cut`: the socket is closed. */
  readonly ending: "done" | "hold" | "cut";
  /** Called with each piece as it is sent. */
  readonly onSent?: (bytes: Buffer) => void;
}

/** One action on a socket, below HTTP. */
export type SocketAction =
  | { readonly do: "send"; readonly bytes: Buffer }
  | { readonly do: "wait"; readonly ms: number }
  /** Keeps the socket open and sends nothing until the client leaves. */
  | { readonly do: "hold" }
  /** RST: data in flight may be lost. */
  | { readonly do: "reset" }
  /** FIN: the normal end. */
  | { readonly do: "close" };

/** What the simulator does with a request. */
export type Reaction =
  | { readonly type: "reply"; readonly reply: Reply }
  | { readonly type: "wire"; readonly status: number; readonly actions: Iterable<SocketAction> };

export function jsonReply(status: number, headers: Readonly<Record<string, string>>, body: unknown): Reply {
  return plainReply(status, { "content-type": "application/json; charset=utf-8", ...headers }, JSON.stringify(body));
}

export function plainReply(status: number, headers: Readonly<Record<string, string>>, text: string): Reply {
  const pieces: readonly Piece[] = text === "" ? [] : [{ bytes: Buffer.from(text), role: "other", afterMs: 0 }];
  return { status, headers, pieces, isStream: false, ending: "done" };
}

export function bodyOf({ pieces }: Reply): Buffer {
  return Buffer.concat(pieces.map(({ bytes }) => bytes));
}

/** Whether a client counts it as progress. */
export function isToken({ role }: { readonly role: FrameRole }): boolean {
  return role === "text" || role === "reasoning" || role === "tool";
}

/** Everything up to and including the n-th token; if there are fewer tokens, everything before the end. */
export function untilToken<T extends { readonly role: FrameRole }>(parts: readonly T[], tokens: number): readonly T[] {
  let seen = 0;
  const kept: T[] = [];
  for (const part of parts) {
    if (part.role === "end" || (isToken(part) && seen === tokens)) return kept;
    if (isToken(part)) seen += 1;
    kept.push(part);
  }
  return kept;
}
