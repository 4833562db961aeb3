import { transform } from "esbuild";
import { inAscii } from "./in-ascii.ts";

/** The hook of Rolldown that is used here, and what it is given. */
interface BundlePlugin {
  readonly name: string;
  generateBundle(
    options: unknown,
    bundle: Readonly<Record<string, { readonly type: string; code?: string }>>,
  ): Promise<void>;
}

/**
 * Minified, in ASCII: what is read at every start is small, and each byte is one character. Nothing is imported any more: code that
 * comes from V8's cache can't (`ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING`), and would fail in the middle of its work.
 */
export function smallAscii(): BundlePlugin {
  return {
    name: "small-ascii",
    async generateBundle(_, bundle) {
      for (const [file, chunk] of Object.entries(bundle)) {
        if (chunk.type !== "chunk" || chunk.code === undefined) continue;
        const small = await transform(chunk.code, {
          ...{ minifyWhitespace: true, minifySyntax: true },
          target: "node20.19",
        });
        chunk.code = inAscii(small.code);
        const left = /(?<![\w.$])import\(["'`][^)]*\)/.exec(chunk.code)?.[0];
        if (left !== undefined) throw new Error(`${file} still has ${left}: import a file that imports it`);
      }
    },
  };
}
