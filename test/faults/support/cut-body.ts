/** How a body breaks off: cleanly, or with an error. */
export type Ending = "end" | "reset";

/** A body that gives these bytes in one piece, and then ends. */
export function bodyOf(bytes: Uint8Array, ending: Ending): ReadableStream<Uint8Array> {
  let isGiven = bytes.length === 0;
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (!isGiven) {
          isGiven = true;
          controller.enqueue(bytes);
        } else if (ending === "end") controller.close();
        else controller.error(Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }));
      },
    },
    { highWaterMark: 0 },
  );
}

export function streamResponse(body: ReadableStream<Uint8Array>): Response {
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

/** Reads a body to its end, or to its error. */
export async function drain(body: ReadableStream<Uint8Array> | null): Promise<{ bytes: Uint8Array; error: unknown }> {
  const parts: Uint8Array[] = [];
  let error: unknown;
  try {
    const reader = body?.getReader();
    for (let next = await reader?.read(); next !== undefined && !next.done; next = await reader?.read())
      parts.push(next.value);
  } catch (thrown) {
    error = thrown;
  }
  return { bytes: Buffer.concat(parts), error };
}
