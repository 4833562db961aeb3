/**
 * Reports that something around the engine is broken: as a process warning on Node (which a host can listen to), on the
 * console in a browser. Never throws.
 */
export function reportFault(fault: unknown, where: string): void {
  try {
    const message = `Secondwind: fault in ${where}, continuing without it: ${describe(fault)}`;
    if (typeof globalThis.process?.emitWarning === "function") {
      process.emitWarning(message, { type: "SecondwindFault", detail: stackOf(fault) });
      return;
    }
    // biome-ignore lint/suspicious/noConsole: a browser has no other place for it.
    console.error(message, fault);
  } catch {
    // Nowhere left to report to; the generation matters more.
  }
}

function describe(fault: unknown): string {
  return fault instanceof Error ? `${fault.name}: ${fault.message}` : String(fault);
}

function stackOf(fault: unknown): string {
  return (fault instanceof Error && fault.stack) || "";
}
