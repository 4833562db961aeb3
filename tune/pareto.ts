/** Whether `one` is at least as good as `two` in everything and better in something. Less is better. */
export function dominates(one: readonly number[], two: readonly number[]): boolean {
  return (
    one.every((value, at) => value <= (two[at] ?? Number.NaN)) &&
    one.some((value, at) => value < (two[at] ?? Number.NaN))
  );
}

/** Those that no other one beats. */
export function paretoFront<T>(all: readonly T[], goalsOf: (item: T) => readonly number[]): readonly T[] {
  const goals = all.map(goalsOf);
  return all.filter((_, at) => !goals.some((other) => dominates(other, goals[at] ?? [])));
}
