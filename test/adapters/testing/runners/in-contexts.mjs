// Runs a module as Jest does with ES modules: in a context of its own, file by file, with Node's modules from outside.
import { readFile } from "node:fs/promises";
import { createRequire, isBuiltin } from "node:module";
import { pathToFileURL } from "node:url";
import vm from "node:vm";

const NODE_GLOBALS = Object.getOwnPropertyNames(globalThis).filter(
  (name) => !(name in vm.runInNewContext("globalThis")),
);
const context = vm.createContext({});
for (const name of NODE_GLOBALS) context[name] = globalThis[name];
const modules = new Map();

async function load(specifier, from) {
  const path = isBuiltin(specifier) ? specifier : createRequire(from).resolve(specifier);
  if (!modules.has(path)) modules.set(path, isBuiltin(path) ? builtin(path) : file(path));
  return modules.get(path);
}

async function builtin(name) {
  const exports = await import(name);
  const names = Object.keys(exports);
  const fill = function () {
    for (const one of names) this.setExport(one, exports[one]);
  };
  return new vm.SyntheticModule(names, fill, { context });
}

async function file(path) {
  return new vm.SourceTextModule(await readFile(path, "utf8"), {
    context,
    identifier: path,
    initializeImportMeta: (meta) => Object.assign(meta, { url: pathToFileURL(path).href }),
    importModuleDynamically: async (specifier) => {
      const found = await load(specifier, path);
      return ready(found);
    },
  });
}

async function ready(module) {
  if (module.status === "unlinked") await module.link((specifier, { identifier }) => load(specifier, identifier));
  await module.evaluate();
  return module;
}

const { namespace } = await ready(await load("./outage.mjs", import.meta.filename));
await namespace.outage((is, should) => {
  if (is !== should) throw new Error(`${is} is not ${should}`);
});
process.stdout.write("passed in a context of its own\n");
