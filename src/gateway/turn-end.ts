let pending: (() => void)[] = [];

/**
 * Does something when all that has come in this turn of the loop has been looked at. Each write to a socket wakes the process at its other
 * end: one after another they cost less than each between two other steps.
 */
export function atTurnEnd(act: () => void): void {
  if (pending.push(act) === 1) setImmediate(flush);
}

function flush(): void {
  const acts = pending;
  pending = [];
  for (const act of acts) {
    try {
      act();
    } catch (fault) {
      // One that fails must not keep the others waiting.
      queueMicrotask(() => {
        throw fault;
      });
    }
  }
}
