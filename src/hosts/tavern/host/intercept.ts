import type { HostFunction, Page } from "./host.ts";

/** The functions to wrap, by their names in every frame. */
const COVERED = ["generate", "generateRaw", "stopGenerationById", "stopAllGeneration"] as const;
export type CoveredName = (typeof COVERED)[number];

const FRAMES = 'iframe[id^="TH-script--"], iframe[id^="TH-message--"]';

/** Shared by all copies of this script, so that they don't retry each other's retries. */
const MARK = Symbol.for("secondwind.wrapped");

/** On the page: one function per copy of this script, which wraps everything. A copy that unloads calls the others'. */
const COPIES = Symbol.for("secondwind.copies");

type Place = Record<string, unknown>;
type Copies = Set<() => void>;
type Wrap = (name: CoveredName, original: HostFunction) => HostFunction;

/**
 * Wraps the helper's functions on the page, from which later frames copy them, and in every existing frame. Checks a frame again
 * when it has loaded, since it may have copied them from elsewhere. The returned function restores the originals.
 */
export function intercept(page: Page, wrap: Wrap): () => void {
  const wrapperOf = new Map<HostFunction, HostFunction>();
  const originalOf = new Map<HostFunction, HostFunction>();

  function cover(place: Place): void {
    for (const name of COVERED) {
      const found = place[name];
      if (typeof found !== "function" || MARK in found) continue;
      const original = found as HostFunction;
      // Read-only properties stay as they are.
      Reflect.set(place, name, wrapperOf.get(original) ?? makeWrapper(name, original));
    }
  }

  function makeWrapper(name: CoveredName, original: HostFunction): HostFunction {
    const wrapper = wrap(name, original);
    Object.defineProperty(wrapper, MARK, { value: true });
    Object.defineProperty(wrapper, "name", { value: original.name, configurable: true });
    wrapperOf.set(original, wrapper);
    originalOf.set(wrapper, original);
    return wrapper;
  }

  function uncover(place: Place): void {
    for (const name of COVERED) {
      const original = originalOf.get(place[name] as HostFunction);
      if (original !== undefined) Reflect.set(place, name, original);
    }
  }

  function onLoad(event: Event): void {
    const element = event.target as Element | null;
    if (element?.matches?.(FRAMES)) placesOf(element as HTMLIFrameElement).forEach(cover);
  }

  const coverAll = (): void => everyPlace(page).forEach(cover);
  coverAll();
  copiesOn(page).add(coverAll);
  // A frame's `load` does not bubble, but can be captured.
  page.document.addEventListener("load", onLoad, true);

  return () => {
    page.document.removeEventListener("load", onLoad, true);
    everyPlace(page).forEach(uncover);
    const copies = copiesOn(page);
    copies.delete(coverAll);
    if (copies.size === 0) Reflect.deleteProperty(page, COPIES);
    for (const coverInstead of copies) coverInstead();
  };
}

function copiesOn(page: Page): Copies {
  const own = page as unknown as Record<symbol, Copies | undefined>;
  own[COPIES] ??= new page.Set<() => void>();
  return own[COPIES];
}

function everyPlace(page: Page): Place[] {
  const frames = [...page.document.querySelectorAll<HTMLIFrameElement>(FRAMES)];
  return [page.TavernHelper, ...frames.flatMap(placesOf)];
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
