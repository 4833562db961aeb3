import type { Plugin } from "vite";
import { inAscii } from "./in-ascii.ts";

interface ScriptOptions {
  readonly name: string;
  readonly id: string;
  readonly info: string;
  readonly buttons: readonly string[];
}

/** Would end the element that the host writes the script into, or hide its end. */
const UNSAFE = /<\/script|<script|<!--/i;

/** Writes a JSON file beside the bundle, which the host can import as a script. Fails if the host could not inline the bundle. */
export function importableScript({ name, id, info, buttons }: ScriptOptions): Plugin {
  return {
    name: "importable-script",
    generateBundle(_, bundle) {
      for (const [file, chunk] of Object.entries(bundle)) {
        if (chunk.type !== "chunk") continue;
        // A host may serve the script without declaring UTF-8.
        chunk.code = inAscii(chunk.code);
        const unsafe = UNSAFE.exec(chunk.code)?.[0];
        if (unsafe !== undefined) this.error(`${file} contains "${unsafe}", which breaks the page it is inlined into.`);
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
          // A card or preset that carries the script must not carry its keys.
          export_with: { data: false, button: true },
        };
        const source = `${JSON.stringify(script, null, 2)}\n`;
        this.emitFile({ type: "asset", fileName: file.replace(/\.js$/, ".json"), source });
      }
    },
  };
}
