const CHECK_MS = 200;

/** Ends the process once everything is written, even if an extension has left a timer or a socket behind. */
export function endProcessSoon(): void {
  const timer = setInterval(() => {
    if (process.stdout.writableLength === 0 && process.stderr.writableLength === 0) process.exit();
  }, CHECK_MS);
  // If nothing is left behind, the process ends by itself.
  timer.unref();
}
