import { resolve } from "node:path";

const PLAIN_HEADERS = resolve(import.meta.dirname, "../src/providers/line/plain-headers.ts");
const MODULE = /@ai-sdk\/provider-utils\/dist\/index\.m?js$/;

/** The hook of Rolldown that is used here. */
interface TransformPlugin {
  readonly name: string;
  transform(code: string, id: string): { readonly code: string; readonly map: null } | null;
}

/**
 * Lets the AI SDK put its headers together without the built-in `Headers`, which loads all of Node's `fetch`: as long a time as
 * Node itself needs to start. It is given plain objects by us, and gives plain objects to our line.
 */
export function plainHeaders(): TransformPlugin {
  return {
    name: "plain-headers",
    transform(code, id) {
      if (!MODULE.test(id)) return null;
      const changed = code.replace(/\b(new|instanceof) Headers\b/g, "$1 PlainHeaders");
      if (!/new PlainHeaders\(normalizeHeaders\(/.test(changed)) {
        throw new Error(`${id} no longer uses Headers as it did: look at build/plain-headers.ts`);
      }
      return { code: `import { PlainHeaders } from ${JSON.stringify(PLAIN_HEADERS)};\n${changed}`, map: null };
    },
  };
}
