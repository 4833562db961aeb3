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

/** Minified, in ASCII: what is read at every start is small, and each byte is one character. */
export function smallAscii(): BundlePlugin {
  return {
    name: "small-ascii",
    async generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== "chunk" || chunk.code === undefined) continue;
        const small = await transform(chunk.code, {
          ...{ minifyWhitespace: true, minifySyntax: true },
          target: "node20.19",
        });
        chunk.code = inAscii(small.code);
      }
    },
  };
}
