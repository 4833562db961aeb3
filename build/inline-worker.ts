import { resolve } from "node:path";
import { build } from "esbuild";

const MARK = "?worker-source";

/** What the bundlers of this project (Vite, Vitest, Rolldown through tsdown) have in common. */
interface SourcePlugin {
  readonly name: string;
  readonly enforce: "pre";
  resolveId(this: PluginContext, source: string, importer: string | undefined): Promise<{ readonly id: string } | null>;
  load(this: PluginContext, id: string): Promise<{ readonly code: string; readonly map: null } | null>;
}

interface PluginContext {
  resolve(source: string, importer?: string): Promise<{ readonly id: string } | null>;
  addWatchFile(file: string): void;
}

/**
 * `import source from "./entry.ts?worker-source"` gives the entry with all it imports as one minified script in a string.
 * A worker can then be started from a single bundled file, wherever that file is served from.
 */
export function inlineWorker(): SourcePlugin {
  return {
    name: "inline-worker",
    enforce: "pre",

    async resolveId(source, importer) {
      if (!source.endsWith(MARK)) return null;
      const entry = await this.resolve(source.slice(0, -MARK.length), importer);
      return entry === null ? null : { id: entry.id + MARK };
    },

    async load(id) {
      if (!id.endsWith(MARK)) return null;
      const { outputFiles, metafile } = await build({
        entryPoints: [id.slice(0, -MARK.length)],
        bundle: true,
        minify: true,
        format: "iife",
        // Only what browsers and Node share: the same text runs in both.
        platform: "neutral",
        mainFields: ["module", "main"],
        target: "es2022",
        write: false,
        metafile: true,
      });
      for (const file of Object.keys(metafile.inputs)) this.addWatchFile(resolve(file));
      return { code: `export default ${JSON.stringify(outputFiles[0]?.text)};`, map: null };
    },
  };
}
