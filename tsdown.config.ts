import { defineConfig } from "tsdown";
import { inlineWorker } from "./build/inline-worker.ts";

const BUNDLED = [
  "re2js",
  "commander",
  "picocolors",
  "kysely",
  // The providers, in files of their own that are loaded when the first call is made.
  "@ai-sdk/anthropic",
  "@ai-sdk/google",
  "@ai-sdk/openai",
  "@ai-sdk/openai-compatible",
  "@ai-sdk/provider",
  "@ai-sdk/provider-utils",
  "eventsource-parser",
  "zod",
];

export default defineConfig({
  entry: {
    index: "src/index.ts",
    "kernel/index": "src/kernel/index.ts",
    "presets/index": "src/presets/index.ts",
    "session/index": "src/session/index.ts",
    "turn/index": "src/turn/index.ts",
    "rpc/index": "src/hosts/rpc/index.ts",
    // Its first line, `#!/usr/bin/env node`, is kept, and the file is made executable.
    cli: "src/cli.ts",
  },
  outDir: "dist",
  format: "esm",
  // The package is a module: `.js` as package.json says, not `.mjs`.
  fixedExtension: false,
  platform: "node",
  target: "node20.19",
  dts: true,
  sourcemap: true,
  // The script for SillyTavern is built beside it, by Vite.
  clean: ["dist/*", "!dist/tavern"],
  // Bundled, so that whoever installs this package installs nothing else but libsql, which is native and can't be. Anything
  // beyond the list is an error.
  deps: { alwaysBundle: BUNDLED, onlyBundle: BUNDLED, neverBundle: ["libsql"] },
  plugins: [inlineWorker()],
});
