interface Suspension {
  /** Gives the terminal back to the shell. */
  readonly leave: () => void;
  /** Takes it again. */
  readonly enter: () => void;
}

/** If we were not stopped by then, no shell has job control over us. */
const STOPPED_WITHIN_MS = 300;

/**
 * Ctrl-Z: stops the process until the shell continues it. Returns a function that does so, and one that ends the listening. The
 * whole group is stopped, as the terminal does it: a wrapper such as npx would otherwise keep the shell waiting.
 */
export function suspension({ leave, enter }: Suspension): { readonly suspend: () => void; readonly end: () => void } {
  // Windows has no such signal.
  if (process.platform === "win32") return { suspend: () => undefined, end: () => undefined };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let late: ReturnType<typeof setImmediate> | undefined;
  const forget = (): void => {
    clearTimeout(timer);
    clearImmediate(late);
  };
  const resume = (): void => {
    forget();
    enter();
  };
  // Also after a stop that was not ours: the shell has used the terminal meanwhile.
  process.on("SIGCONT", resume);
  return {
    suspend: () => {
      leave();
      // When the process is continued, the timer is overdue and runs before the signal, which follows within the same turn.
      timer = setTimeout(() => {
        late = setImmediate(resume);
      }, STOPPED_WITHIN_MS);
      process.kill(0, "SIGTSTP");
    },
    end: () => {
      forget();
      process.off("SIGCONT", resume);
    },
  };
}
