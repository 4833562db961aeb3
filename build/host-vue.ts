import type { Plugin } from "vite";
import * as vue from "vue";

const HOST_VUE = "\0host-vue";

/**
 * Replaces the import of `vue` by the host's global `Vue`, because a script of the host can't import anything. Exports every name, so
 * that the bundler can drop what is not used.
 */
export function hostVue(): Plugin {
  return {
    name: "host-vue",
    enforce: "pre",
    resolveId: (source) => (source === "vue" ? HOST_VUE : null),
    load(id) {
      if (id !== HOST_VUE) return null;
      const names = Object.keys(vue).filter((name) => name !== "default");
      const lines = names.map((name) => `export const ${name} = /* @__PURE__ */ (() => host.${name})();`);
      return `const host = globalThis.Vue;\n${lines.join("\n")}\n`;
    },
  };
}
