import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Script } from "node:vm";
import { keepCompiled, readCompiled } from "./compiled-file.ts";

/** The function that Node wraps a CommonJS file in. */
type Run = (exports: object, require: (id: string) => unknown, module: { exports: object }, file: string) => void;

/**
 * Runs a CommonJS script, and the files next to it that it requires, from V8's code cache. Compiling a provider's SDK takes several
 * times as long as starting Node; reading it compiled takes a few milliseconds. V8 rejects a cache of another version: then the
 * script is compiled again, and the cache is written when the process ends.
 */
export function runCompiled(entry: string): void {
  const fromNode = createRequire(entry);
  const loaded = new Map<string, { exports: object }>();
  const toKeep: (() => void)[] = [];
  // Only at the end is it known which functions are used.
  process.once("exit", () => {
    for (const keep of toKeep) keep();
  });
  load(entry);

  function load(file: string): object {
    const known = loaded.get(file);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    loaded.set(file, module);
    const require = (id: string): unknown => (id.startsWith("./") ? load(join(dirname(file), id)) : fromNode(id));
    compile(file)(module.exports, require, module, file);
    return module.exports;
  }

  function compile(file: string): Run {
    const text = readFileSync(file);
    const cachedData = readCompiled(file, text);
    // The build writes nothing but ASCII, which is quickest to read.
    const script = new Script(`(function (exports, require, module, __filename) {${text.toString("latin1")}\n})`, {
      filename: file,
      ...(cachedData !== undefined && { cachedData }),
    });
    const isKept = cachedData !== undefined && script.cachedDataRejected !== true;
    if (!isKept) toKeep.push(() => keepCompiled(file, text, script.createCachedData()));
    return script.runInThisContext() as Run;
  }
}
