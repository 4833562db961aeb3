import { dirname } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

type Listener = (fault: unknown) => void;

const OWN_FOLDER = dirname(fileURLToPath(import.meta.url));
/** By the path of the extension's file. Files stay in it, so that a late fault of an unloaded extension is still known as such. */
const watched = new Map<string, Set<Listener>>();

/**
 * Reports what an extension throws from a timer or leaves rejected: without this, Node would end the process. Faults of the program
 * itself still do.
 */
export function onStrayFault(path: string, listener: Listener): () => void {
  if (watched.size === 0) process.on("uncaughtException", take).on("unhandledRejection", take);
  const listeners = watched.get(path) ?? new Set();
  watched.set(path, listeners.add(listener));
  return () => void listeners.delete(listener);
}

function take(fault: unknown): void {
  const paths = originsOf(fault);
  if (paths.length === 0) return endProcess(fault);
  for (const path of paths) for (const listener of watched.get(path) ?? []) listener(fault);
}

/** The extensions that a fault may come from; none: the program itself. */
function originsOf(fault: unknown): readonly string[] {
  const stack = fault instanceof Error ? (fault.stack ?? "") : "";
  const paths = [...watched.keys()];
  // Not an error, so it has no stack. The program throws errors only.
  if (stack === "") return paths;
  const named = paths.filter((path) => isIn(stack, path));
  if (named.length > 0 || isIn(stack, OWN_FOLDER)) return named;
  // A package that the extension has brought along.
  return paths.filter((path) => isIn(stack, dirname(path)));
}

function isIn(stack: string, path: string): boolean {
  return stack.includes(path) || stack.includes(pathToFileURL(path).href);
}

/** As Node does it without a listener: with the stack on stderr, and exit code 1. */
function endProcess(fault: unknown): void {
  process.off("uncaughtException", take).off("unhandledRejection", take);
  setImmediate(() => {
    throw fault;
  });
}
