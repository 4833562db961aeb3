import type { FrameRole } from "../dialects/dialect.ts";

/** Some bytes of a body, and how long to wait before them. */
export interface Piece {
  readonly bytes: Buffer;
  readonly role: FrameRole;
  readonly afterMs: number;
}

/** A response that HTTP itself has nothing against. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly pieces: readonly Piece[];
  /** A stream has no length known beforehand: it goes out in chunks. */
  readonly isStream: boolean;
  /** `done`: complete. `hold`: nothing more comes, ever. `cut`: the socket is closed in the middle. */
  readonly ending: "done" | "hold" | "cut";
  /** Told of each piece as it goes out. */
  readonly onSent?: (bytes: Buffer) => void;
}

/** One thing done to a socket, below HTTP. */
export type Step =
  | { readonly do: "send"; readonly bytes: Buffer }
  | { readonly do: "wait"; readonly ms: number }
  /** Keeps the socket open and says nothing, until the client leaves. */
  | { readonly do: "hold" }
  /** RST: whatever was in flight may be lost. */
  | { readonly do: "reset" }
  /** FIN, as a server that is finished sends it. */
  | { readonly do: "close" };

/** What the simulator does about a request. */
export type Performance =
  | { readonly type: "reply"; readonly reply: Reply }
  | { readonly type: "wire"; readonly status: number; readonly steps: Iterable<Step> };

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

/** The pieces that a client would count as progress. */
export function isToken({ role }: { readonly role: FrameRole }): boolean {
  return role === "text" || role === "reasoning" || role === "tool";
}

/** Everything up to and including the n-th token; without so many, everything before the end. */
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
