import { isOpen } from "./endings.ts";
import type { Job } from "./job.ts";
import type { Jobs } from "./jobs.ts";

/** A change that was missed, because a connection was away, is seen after so long. */
const LOOK_EVERY_MS = 5000;

/** The job as it stands, then its changes, until it is final. Built on `get` and `onChange` alone. */
export async function* watchJob(
  jobs: Pick<Jobs, "get" | "onChange">,
  id: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<Job, void, undefined> {
  const news = new News();
  const wake = (): void => news.wake();
  const stop = jobs.onChange((job) => job.id === id && news.add(job));
  signal?.addEventListener("abort", wake);
  try {
    let shown: Job | undefined;
    for (let job = await jobs.get(id); signal?.aborted !== true; job = await news.next(() => jobs.get(id))) {
      if (job === undefined) return;
      if (shown === undefined || isNewer(job, shown)) yield job;
      shown = job;
      if (!isOpen(job.state)) return;
    }
  } finally {
    stop();
    signal?.removeEventListener("abort", wake);
  }
}

function isNewer(job: Job, shown: Job): boolean {
  return job.updatedAt > shown.updatedAt || job.state !== shown.state || job.until !== shown.until;
}

/** The newest change, or a look after a while. */
class News {
  #latest: Job | undefined;
  #wake: (() => void) | undefined;

  add(job: Job): void {
    this.#latest = job;
    this.wake();
  }

  wake(): void {
    this.#wake?.();
  }

  async next(look: () => Promise<Job | undefined>): Promise<Job | undefined> {
    if (this.#latest === undefined) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, LOOK_EVERY_MS);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#wake = undefined;
    }
    const latest = this.#latest;
    this.#latest = undefined;
    return latest ?? look();
  }
}
