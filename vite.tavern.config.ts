import { resolve } from "node:path";
import vue from "@vitejs/plugin-vue";
import { defineConfig } from "vite";
import { hostVue } from "./build/host-vue.ts";
import { importableScript } from "./build/importable-script.ts";
import { inlineWorker } from "./build/inline-worker.ts";
import { TOGGLE_BUTTON } from "./src/hosts/tavern/toggle-button.ts";

/** The SillyTavern script: one self-contained module, and the JSON file to import. */
export default defineConfig({
  // Node's and Vue's build flags must be replaced: the host does not define them.
  define: {
    "process.env.NODE_ENV": '"production"',
    __VUE_OPTIONS_API__: "false",
    __VUE_PROD_DEVTOOLS__: "false",
    __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: "false",
  },
  plugins: [
    hostVue(),
    inlineWorker(),
    vue(),
    importableScript({
      name: "Secondwind",
      id: "5ec0d91d-0000-4000-8000-7a7e4253ca11",
      info: "Retries failed generations of your scripts: rate limits, overloads, network faults and stalls. Settings: Extensions → Secondwind.",
      buttons: [TOGGLE_BUTTON],
    }),
  ],
  build: {
    outDir: "dist/tavern",
    emptyOutDir: true,
    copyPublicDir: false,
    target: "es2022",
    reportCompressedSize: false,
    lib: {
      entry: resolve(import.meta.dirname, "src/hosts/tavern/main.ts"),
      formats: ["es"],
      fileName: () => "secondwind.js",
    },
    rolldownOptions: { output: { codeSplitting: false, minify: true } },
  },
});
