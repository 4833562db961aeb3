import type { StreamCore } from "./stream-core.ts";

type Source<T> = NonNullable<ConstructorParameters<typeof ReadableStream<T>>[0]>;

/** The source of the platform's own stream, for those who read that. */
export function platformSource<T>(core: StreamCore<T>): Source<T> {
  return {
    start(controller) {
      if (core.state === "closed") controller.close();
      else if (core.state === "failed") controller.error(core.error);
      else core.platform = { onClose: () => controller.close(), onFail: (error) => controller.error(error) };
    },
    pull(controller) {
      core.isPlatform = true;
      // With a promise it does not ask again before it has an answer.
      return new Promise<void>((resolve) => {
        core.read((result) => {
          // It hears of its end by itself, whether it asks or not.
          if ("then" in result) result.then(undefined, () => undefined);
          else if (result.done !== true) controller.enqueue(result.value);
          resolve();
        });
      });
    },
    cancel(reason: unknown) {
      core.platform = undefined;
      return core.cancel(reason);
    },
  };
}
