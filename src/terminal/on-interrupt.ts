/** Calls the listener when the process is asked to end. Returns a function that stops listening. */
export function onInterrupt(listener: () => void): () => void {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, listener);
  return () => {
    for (const signal of signals) process.off(signal, listener);
  };
}
