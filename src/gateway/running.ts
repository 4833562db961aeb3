/** Something that is under way, and its place among the others. Written by {@link Running}. */
export interface Listed {
  place: number;
}

/**
 * All that is under way. Not a `Set`: one that changes with every request is copied again and again, and the copies that have grown old
 * keep finished requests alive until the next full collection. It cost a fifth of the gateway's time.
 */
export class Running<T extends Listed> {
  private readonly all: (T | undefined)[] = [];
  size = 0;

  add(one: T): void {
    one.place = this.size;
    this.all[this.size++] = one;
  }

  /** Nothing happens if it is not there. */
  remove(one: T): void {
    const { place } = one;
    if (place < 0) return;
    one.place = -1;
    const last = this.all[--this.size] as T;
    this.all[this.size] = undefined;
    if (last === one) return;
    this.all[place] = last;
    last.place = place;
  }

  /** As they are now: they may leave meanwhile. */
  list(): readonly T[] {
    return this.all.slice(0, this.size) as T[];
  }
}
