import { type Reply, untilToken } from "../wire/reply.ts";

/** The reply up to its n-th token, then silence. A body that is not streamed stops halfway. */
export function stalled(reply: Reply, tokens: number): Reply {
  return { ...shortened(reply, tokens), ending: "hold" };
}

/** The same, but the socket is closed. */
export function cutOff(reply: Reply, tokens: number): Reply {
  return { ...shortened(reply, tokens), ending: "cut" };
}

function shortened(reply: Reply, tokens: number): Reply {
  if (reply.isStream) return { ...reply, pieces: untilToken(reply.pieces, tokens) };
  const pieces = reply.pieces.map((piece) => ({
    ...piece,
    bytes: tokens === 0 ? Buffer.alloc(0) : piece.bytes.subarray(0, Math.floor(piece.bytes.length / 2)),
  }));
  // In chunks: a content-length would promise bytes that never come.
  return { ...reply, pieces, isStream: true };
}
