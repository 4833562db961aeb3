import { type Reply, untilToken } from "../wire/reply.ts";

/** The reply up to its n-th token, and then nothing more. A body that is no stream stops at its half. */
export function stalled(reply: Reply, tokens: number): Reply {
  return { ...shortened(reply, tokens), ending: "hold" };
}

/** The same, but then the socket is closed. */
export function cutOff(reply: Reply, tokens: number): Reply {
  return { ...shortened(reply, tokens), ending: "cut" };
}

function shortened(reply: Reply, tokens: number): Reply {
  if (reply.isStream) return { ...reply, pieces: untilToken(reply.pieces, tokens) };
  const pieces = reply.pieces.map((piece) => ({
    ...piece,
    bytes: tokens === 0 ? Buffer.alloc(0) : piece.bytes.subarray(0, Math.floor(piece.bytes.length / 2)),
  }));
  // In chunks, because a length would have to be the length of what never comes.
  return { ...reply, pieces, isStream: true };
}
