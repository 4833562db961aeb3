import type { Plugin } from "vite";
import * as vue from "vue";

const HOST_VUE = "\0host-vue";

/**
 * `vue` is the host's global `Vue`, not an import: a script of the host is one file with no import left in it. Every
 * export is named, so that a bundler sees what is used and drops the rest.
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
