import type { ByteRead } from "../../formats/index.ts";
import { AnswerError } from "../../library/answer-error.ts";
import type { UpstreamAnswer } from "./upstream-call.ts";

/** More than any answer. */
const MOST_BYTES = 256 * 1024 * 1024;

/** Reads an answer to its end. `first`: what was read of it before. */
export async function readWhole({ body }: UpstreamAnswer, first?: ByteRead): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for (let next = first ?? (await body.read()); !next.done; next = await body.read()) {
    chunks.push(next.value as Buffer);
    bytes += next.value.length;
    if (bytes <= MOST_BYTES) continue;
    await body.cancel();
    throw new AnswerError({ code: "stream_broken", message: `The answer is larger than ${MOST_BYTES} bytes` }, {});
  }
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
}
