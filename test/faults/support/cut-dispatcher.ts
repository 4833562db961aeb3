import { afterAll, beforeAll } from "vitest";
import { IS_LEGACY, learnLoopback, replaceDispatcher } from "../../adapters/fetch/ways.ts";
import type { Ending } from "./cut-body.ts";

/** What an answer consists of, until it breaks off. */
export interface Cut {
  readonly chunks: readonly Uint8Array[];
  readonly ending: Ending;
}

type Callbacks = Readonly<Record<string, (...values: readonly unknown[]) => unknown>>;

const HEADERS = [Buffer.from("Content-Type"), Buffer.from("text/event-stream")];

/** Answers all that goes through the platform's dispatcher, as the parser of undici does: as much as has come, at once. */
export function useCutDispatcher(next: () => Cut): void {
  const nothing = (): void => undefined;
  const controller = { rawHeaders: HEADERS, abort: nothing, pause: nothing, resume: nothing };
  const dispatch = (_: unknown, handler: Callbacks): true => {
    const { chunks, ending } = next();
    const error = Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
    setImmediate(() => {
      if (IS_LEGACY) {
        handler.onConnect?.(nothing);
        handler.onHeaders?.(200, HEADERS, nothing, "OK");
        for (const chunk of chunks) handler.onData?.(chunk);
        if (ending === "end") handler.onComplete?.([]);
        else handler.onError?.(error);
        return;
      }
      handler.onRequestStart?.(controller);
      handler.onResponseStart?.(controller, 200, {}, "OK");
      for (const chunk of chunks) handler.onResponseData?.(controller, chunk);
      if (ending === "end") handler.onResponseEnd?.(controller, {});
      else handler.onResponseError?.(controller, error);
    });
    return true;
  };
  let replaced: { [Symbol.dispose](): void } | undefined;
  beforeAll(async () => {
    await learnLoopback();
    replaced = replaceDispatcher({ dispatch });
  });
  afterAll(() => replaced?.[Symbol.dispose]());
}
