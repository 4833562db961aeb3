import type { HostFunction, Page } from "./host.ts";
import { type Place, replaceFunctions } from "./replace-functions.ts";

/** The helper's functions, by their names in every frame. */
const COVERED = ["generate", "generateRaw", "stopGenerationById", "stopAllGeneration"] as const;
/** The functions by which the host emits its events. */
const EMITTING = ["emit", "emitAndWait"] as const;
export type CoveredName = (typeof COVERED)[number] | (typeof EMITTING)[number];

const FRAMES = 'iframe[id^="TH-script--"], iframe[id^="TH-message--"]';

type Wrap = (name: CoveredName, original: HostFunction) => HostFunction;

/**
 * Wraps the helper's functions on the page, from which later frames copy them, and in every existing frame. Checks a frame again
 * when it has loaded, since it may have copied them from elsewhere. The returned function restores the originals.
 */
export function interceptHelper(page: Page, wrap: Wrap): () => void {
  const { cover, restore } = replaceFunctions({ page, names: COVERED, places: () => everyPlace(page), wrap });

  function onLoad(event: Event): void {
    const element = event.target as Element | null;
    if (element?.matches?.(FRAMES)) placesOf(element as HTMLIFrameElement).forEach(cover);
  }

  // A frame's `load` does not bubble, but can be captured.
  page.document.addEventListener("load", onLoad, true);
  return () => {
    page.document.removeEventListener("load", onLoad, true);
    restore();
  };
}

/**
 * Observes the host's events where they are emitted. The host awaits each listener, so a listener of ours would delay the ones after
 * it, and they would get these events after later ones.
 */
export function interceptEvents(page: Page, source: object, wrap: Wrap): () => void {
  let isOver = false;
  const { restore } = replaceFunctions({
    page,
    names: EMITTING,
    places: () => [source as Place],
    wrap(name, original) {
      const wrapper = wrap(name, original);
      // Another script's emitter may keep calling this one below a later one of ours, and each event is heard once.
      return function (this: unknown, ...args: unknown[]) {
        return (isOver ? original : wrapper).apply(this, args);
      };
    },
  });
  return () => {
    isOver = true;
    restore();
  };
}

/** Every frame of a script or message. */
export function framesOf(page: Page): HTMLIFrameElement[] {
  return [...page.document.querySelectorAll<HTMLIFrameElement>(FRAMES)];
}

function everyPlace(page: Page): Place[] {
  return [page.TavernHelper, ...framesOf(page).flatMap(placesOf)];
}

/** A frame has copies on its window and on its own `TavernHelper`. */
function placesOf(frame: HTMLIFrameElement): Place[] {
  try {
    const own = frame.contentWindow as unknown as (Place & { readonly TavernHelper?: Place }) | null;
    if (own === null) return [];
    const helper = own.TavernHelper;
    return typeof helper === "object" && helper !== null ? [own, helper] : [own];
  } catch {
    // Another origin: it can't have copies.
    return [];
  }
}
