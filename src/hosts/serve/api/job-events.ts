import type { Job, Jobs } from "../../../jobs/index.ts";

/** A connection that is gone shows only when something is sent. */
const EVERY_MS = 15_000;

/** The changes of a job as server-sent events. A client that does not read gets fewer of them: the next one is read when it asks. */
export function jobEvents(
  jobs: Jobs,
  id: string,
  signal: AbortSignal,
  stopping: AbortSignal | undefined,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const leaving = new AbortController();
  const leave = (): void => leaving.abort();
  for (const one of [signal, stopping]) one?.addEventListener("abort", leave, { once: true });
  const changes = jobs.watch(id, { signal: leaving.signal })[Symbol.asyncIterator]();
  let beat: ReturnType<typeof setInterval> | undefined;
  const end = async (): Promise<void> => {
    clearInterval(beat);
    leave();
    for (const one of [signal, stopping]) one?.removeEventListener("abort", leave);
    await changes.return?.();
  };
  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      beat = setInterval(() => controller.enqueue(encoder.encode(":\n\n")), EVERY_MS);
    },
    pull: async (controller) => {
      const { done, value } = await changes.next();
      if (done === true) {
        await end();
        return controller.close();
      }
      controller.enqueue(encoder.encode(eventOf(value)));
    },
    cancel: end,
  });
}

function eventOf(job: Job): string {
  return `event: job\ndata: ${JSON.stringify(job)}\n\n`;
}
