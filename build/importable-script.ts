import type { Plugin } from "vite";
import { inAscii } from "./in-ascii.ts";

interface ScriptOptions {
  readonly name: string;
  readonly id: string;
  readonly info: string;
  readonly buttons: readonly string[];
}

/** What would end the element that the host writes the script into, or hide its end. */
const UNSAFE = /<\/script|<script|<!--/i;

/** Puts a file beside the bundle that the host can import as a script. Refuses a bundle that the host could not inline. */
export function importableScript({ name, id, info, buttons }: ScriptOptions): Plugin {
  return {
    name: "importable-script",
    generateBundle(_, bundle) {
      for (const [file, chunk] of Object.entries(bundle)) {
        if (chunk.type !== "chunk") continue;
        // A host may serve the script without saying that it is UTF-8.
        chunk.code = inAscii(chunk.code);
        const unsafe = UNSAFE.exec(chunk.code)?.[0];
        if (unsafe !== undefined)
          this.error(`${file} contains "${unsafe}", which breaks the page that it is written into.`);
        const left = [...chunk.imports, ...chunk.dynamicImports].filter((name) => name !== file);
        if (left.length > 0) this.error(`${file} still imports ${left.join(", ")}, which the host can't load.`);
        const script = {
          type: "script",
          enabled: false,
          name,
          id,
          content: chunk.code,
          info,
          button: { enabled: true, buttons: buttons.map((button) => ({ name: button, visible: true })) },
          data: {},
          export_with: { data: true, button: true },
        };
        const source = `${JSON.stringify(script, null, 2)}\n`;
        this.emitFile({ type: "asset", fileName: file.replace(/\.js$/, ".json"), source });
      }
    },
  };
}
