import { type Answer, StreamedAnswer } from "./line.ts";

/** More of a refusal than anybody reads. */
const MOST_BYTES = 65_536;
/** Who takes longer to say no has said it with the status. */
const LONGEST_MS = 5000;

/** An answer whose body is read now, as far as it goes: it may have no end, hang, or be cut, and its status tells most. */
export async function inShort(answer: Answer): Promise<Answer> {
  const chunks: Uint8Array[] = [];
  const reader = answer.body?.getReader();
  const timer = setTimeout(() => void reader?.cancel().catch(() => undefined), LONGEST_MS);
  try {
    for (let bytes = 0; bytes < MOST_BYTES; ) {
      const next = await reader?.read();
      if (next === undefined || next.done) break;
      chunks.push(next.value);
      bytes += next.value.length;
    }
  } catch {
    // What came before the cut is there.
  } finally {
    clearTimeout(timer);
    void reader?.cancel().catch(() => undefined);
  }
  const body = Buffer.concat(chunks).subarray(0, MOST_BYTES);
  return new StreamedAnswer(
    answer,
    new ReadableStream({
      start(controller) {
        if (body.length > 0) controller.enqueue(new Uint8Array(body));
        controller.close();
      },
    }),
  );
}
