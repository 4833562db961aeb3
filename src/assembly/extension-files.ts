import { stat } from "node:fs/promises";
import { homedir } from "node:os";
import { extname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { ExtensionSource } from "../session/index.ts";
import { onStrayFault } from "./stray-faults.ts";

interface ExtensionFiles {
  /** From the user's settings: absolute paths, or below `~/`. */
  readonly stored: readonly string[];
  /** From the command line: relative to the working folder. */
  readonly given: readonly string[];
}

/** The extensions that the user has named, each once. No folder is searched: a project can't bring code of its own. */
export function extensionSources({ stored, given }: ExtensionFiles, cwd = process.cwd()): readonly ExtensionSource[] {
  const files = new Map<string, string>();
  for (const name of stored) files.set(pathOf(name, cwd), name);
  for (const name of given) files.set(pathOf(name, cwd), name);
  return [...files].map(([path, name]) => ({
    name,
    open: () => openModule(path),
    onStrayFault: (listener) => onStrayFault(path, listener),
  }));
}

function pathOf(name: string, cwd: string): string {
  return name.startsWith("~/") ? join(homedir(), name.slice(2)) : resolve(cwd, name);
}

const TYPESCRIPT = new Set([".ts", ".mts", ".cts"]);

async function openModule(path: string): Promise<unknown> {
  const file = await stat(path).catch(() => undefined);
  if (file === undefined) throw new Error(`the file ${path} does not exist or can't be read`);
  if (!file.isFile()) throw new Error(`${path} is not a file`);
  if (TYPESCRIPT.has(extname(path)) && !canRunTypeScript()) {
    throw new Error(
      `this Node (${process.versions.node}) can't run TypeScript. Compile the file to JavaScript, or use Node 22.18 or newer`,
    );
  }
  try {
    const { default: exported } = (await import(pathToFileURL(path).href)) as { readonly default?: unknown };
    // A CommonJS module that was compiled from `export default`.
    if (typeof exported === "object" && exported !== null && "default" in exported) return exported.default;
    return exported;
  } catch (fault) {
    throw explain(fault, path);
  }
}

/** Since Node 22.18 and 23.6 without a flag. */
function canRunTypeScript(): boolean {
  const { typescript } = process.features as { readonly typescript?: unknown };
  return typeof typescript === "string";
}

/** The message of a syntax error does not name the line. */
function explain(fault: unknown, path: string): unknown {
  if (!(fault instanceof SyntaxError)) return fault;
  return new SyntaxError(`${fault.message} (node --check ${path} shows where)`, { cause: fault });
}
