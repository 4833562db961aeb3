import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Script } from "node:vm";
import { keepCompiled, readCompiled } from "./compiled-file.ts";

/** What a file of CommonJS is wrapped in, as Node does it. */
type Run = (exports: object, require: (id: string) => unknown, module: { exports: object }, file: string) => void;

/**
 * Runs a CommonJS script, and the files beside it that it requires, from what V8 made of them the last time. To compile a
 * provider's SDK takes several times as long as to start Node; to read it compiled, a few milliseconds. What another version of
 * V8 has made is refused: then it is compiled anew, and kept when the process ends.
 */
export function runCompiled(entry: string): void {
  const fromNode = createRequire(entry);
  const loaded = new Map<string, { exports: object }>();
  const toKeep: (() => void)[] = [];
  // Only then is known which of the functions are needed.
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
