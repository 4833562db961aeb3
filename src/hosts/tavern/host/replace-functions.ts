import type { HostFunction, Page } from "./host.ts";

/** An object with functions of the host. */
export type Place = Record<string, unknown>;

export interface Replacement<Name extends string> {
  readonly page: Page;
  readonly names: readonly Name[];
  places(): readonly Place[];
  wrap(name: Name, original: HostFunction): HostFunction;
}

/** Shared by all copies of this script, so that they don't retry each other's retries. */
const MARK = Symbol.for("secondwind.wrapped");

/** On the page: functions of every copy of this script that cover all places. A copy that lets go calls the others'. */
const COPIES = Symbol.for("secondwind.copies");
type Copies = Set<() => void>;

/** Replaces functions by wrappers. `restore` puts the originals back, exactly, where the wrappers still are. */
export function replaceFunctions<Name extends string>({ page, names, places, wrap }: Replacement<Name>) {
  const wrapperOf = new Map<HostFunction, HostFunction>();
  const originalOf = new Map<HostFunction, HostFunction>();

  function cover(place: Place): void {
    for (const name of names) {
      const found = place[name];
      if (typeof found !== "function" || MARK in found) continue;
      const original = found as HostFunction;
      // Read-only properties stay as they are.
      Reflect.set(place, name, wrapperOf.get(original) ?? makeWrapper(name, original));
    }
  }

  function makeWrapper(name: Name, original: HostFunction): HostFunction {
    const wrapper = wrap(name, original);
    Object.defineProperty(wrapper, MARK, { value: true });
    Object.defineProperty(wrapper, "name", { value: original.name, configurable: true });
    wrapperOf.set(original, wrapper);
    originalOf.set(wrapper, original);
    return wrapper;
  }

  function uncover(place: Place): void {
    for (const name of names) {
      const original = originalOf.get(place[name] as HostFunction);
      if (original === undefined) continue;
      // A method of the class was covered by a property of the object.
      const isInherited = (Object.getPrototypeOf(place) as Place | null)?.[name] === original;
      if (isInherited) Reflect.deleteProperty(place, name);
      else Reflect.set(place, name, original);
    }
  }

  const coverAll = (): void => places().forEach(cover);
  coverAll();
  copiesOn(page).add(coverAll);

  function restore(): void {
    places().forEach(uncover);
    const copies = copiesOn(page);
    copies.delete(coverAll);
    if (copies.size === 0) Reflect.deleteProperty(page, COPIES);
    for (const coverInstead of copies) coverInstead();
  }

  return { cover, restore };
}

function copiesOn(page: Page): Copies {
  const own = page as unknown as Record<symbol, Copies | undefined>;
  own[COPIES] ??= new page.Set<() => void>();
  return own[COPIES];
}
