import type { Page } from "./host.ts";
import { framesOf } from "./intercept.ts";

/**
 * Calls `onGone` when the frame that made `config` is removed or reloaded. Returns a function that ends the watch. All frames share the
 * host's functions, so the caller is found by its object: every frame has its own `Object`.
 */
export function watchCaller(page: Page, config: object, onGone: () => void): () => void {
  const caller = callerOf(page, config);
  const onHide = (event: PageTransitionEvent): void => {
    // Otherwise the whole page enters the back/forward cache and may return.
    if (!event.persisted) onGone();
  };
  caller?.addEventListener("pagehide", onHide);
  return () => caller?.removeEventListener("pagehide", onHide);
}

function callerOf(page: Page, { constructor: maker }: object): Window | undefined {
  for (const { contentWindow } of framesOf(page)) {
    try {
      if ((contentWindow as unknown as typeof globalThis | null)?.Object === maker) return contentWindow as Window;
    } catch {
      // Another origin.
    }
  }
  // The page itself, or an object without a prototype.
  return undefined;
}
