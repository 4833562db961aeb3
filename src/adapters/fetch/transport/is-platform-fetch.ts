/** How Node 20 to 26 write it: a function that loads undici when it is first called. */
const SOURCE =
  /^function fetch\(input, init = undefined\) \{(?:\s*\/\/.*)?\s*if \(!fetchImpl\) \{(?:\s*\/\/.*)?\s*const undiciModule = require\('internal\/deps\/undici\/undici'\);\s*fetchImpl = undiciModule\.fetch;\s*\}\s*return fetchImpl\(input, init\);\s*\}$/;
const OWN: ReadonlySet<unknown> = new Set(["length", "name", "prototype"]);
/** Of what comes later we don't know which dispatcher its `fetch` uses. */
const MOST_MAJOR = 8;

/**
 * Whether this is Node's own `fetch`, not one that a test, a mock or a monitoring agent has put in its place. In doubt it is not:
 * a patch must see every request.
 */
export function isPlatformFetch(fetch: unknown): boolean {
  if (typeof process !== "object" || "Bun" in globalThis || "Deno" in globalThis) return false;
  const major = Number.parseInt(process.versions?.undici ?? "", 10);
  if (!(major >= 6 && major <= MOST_MAJOR) || typeof process.getBuiltinModule !== "function") return false;
  // In a context of `node:vm`, as Jest has it, the global dispatcher is another one than that of `fetch`: its functions are of another realm.
  if (typeof fetch !== "function" || !(fetch instanceof Function)) return false;
  // Zone.js gives its patches the text of what they replace, and a property that says so.
  return Reflect.ownKeys(fetch).every((key) => OWN.has(key)) && SOURCE.test(Function.prototype.toString.call(fetch));
}
