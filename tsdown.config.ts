import { defineConfig } from "tsdown";
import { inlineWorker } from "./build/inline-worker.ts";

/** The view of `chat`, with what it stands on: files of their own, which nothing else loads. */
const INK = [
  "ink",
  "react",
  "@alcalzone/ansi-tokenize",
  "ansi-escapes",
  "ansi-regex",
  "ansi-styles",
  "auto-bind",
  "chalk",
  "cli-boxes",
  "cli-cursor",
  "cli-truncate",
  "code-excerpt",
  "convert-to-spaces",
  "emoji-regex",
  "environment",
  "es-toolkit",
  "escape-string-regexp",
  "get-east-asian-width",
  "indent-string",
  "is-fullwidth-code-point",
  "is-in-ci",
  "mimic-fn",
  "onetime",
  "patch-console",
  "react-reconciler",
  "restore-cursor",
  "scheduler",
  "signal-exit",
  "slice-ansi",
  "stack-utils",
  "string-width",
  "strip-ansi",
  "terminal-size",
  "widest-line",
  "wrap-ansi",
  "yoga-layout",
];

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
  ...INK,
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
  deps: {
    alwaysBundle: BUNDLED,
    onlyBundle: BUNDLED,
    // Ink asks for the last two only when the variable DEV is set, to be looked into by React's developer tools.
    neverBundle: ["libsql", "react-devtools-core", "ws"],
  },
  // React's build for production, which is smaller and quicker.
  define: { "process.env.NODE_ENV": '"production"' },
  plugins: [inlineWorker()],
});
