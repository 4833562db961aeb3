import { defineConfig, type UserConfig } from "tsdown";
import { ENTRIES } from "./build/entries.ts";
import { inlineWorker } from "./build/inline-worker.ts";
import { leave } from "./build/leave.ts";
import { leaveTypes } from "./build/leave-types.ts";
import { libraryChunk } from "./build/library-chunks.ts";
import { plainHeaders } from "./build/plain-headers.ts";
import { smallAscii } from "./build/small-ascii.ts";

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
  "sugar-high",
  "strip-ansi",
  "terminal-size",
  "widest-line",
  "wrap-ansi",
  "yoga-layout",
];

/** Jobs in Redis, in files that are loaded when a Redis is named. */
const REDIS = [
  "bullmq",
  "cron-parser",
  "luxon",
  "msgpackr",
  "node-abort-controller",
  "semver",
  "tslib",
  "ioredis",
  "@ioredis/commands",
  "cluster-key-slot",
  "debug",
  "denque",
  "ms",
  "redis-errors",
  "redis-parser",
  "standard-as-callback",
];

const BUNDLED = [
  "re2js",
  "commander",
  "get-east-asian-width",
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
  // The server, in files of its own that only `serve` loads.
  "hono",
  "@hono/node-server",
  "ws",
  ...REDIS,
  ...INK,
];

const BOTH: UserConfig = {
  platform: "node",
  target: "node20.19",
  // Bundled, so that the package has no dependencies. libsql is native and can't be: it is an optional peer. Anything beyond the
  // list is an error.
  deps: {
    alwaysBundle: BUNDLED,
    onlyBundle: BUNDLED,
    // Ink asks for the last one only when the variable DEV is set, to be looked into by React's developer tools. `ws` asks for
    // the next two if they are installed, and does without; so do msgpackr with native code, and `debug` with colors.
    neverBundle: [
      "libsql",
      "bufferutil",
      "utf-8-validate",
      "react-devtools-core",
      "msgpackr-extract",
      "supports-color",
    ],
  },
  // React's build for production, which is smaller and quicker.
  define: { "process.env.NODE_ENV": '"production"' },
};

const PACKAGE: UserConfig = {
  ...BOTH,
  entry: {
    ...ENTRIES,
    main: "src/cli/main.ts",
  },
  outDir: "dist",
  format: "esm",
  // The package is a module: `.js` as package.json says, not `.mjs`.
  fixedExtension: false,
  dts: true,
  sourcemap: true,
  // What else is there is built beside it: the script for SillyTavern and the web page by Vite, `ask` below.
  clean: ["dist/*", "!dist/tavern", "!dist/web", "!dist/ask", "!dist/cli.cjs"],
  plugins: [inlineWorker(), leaveTypes("@ai-sdk/provider")],
  // Asked for by the next option.
  inputOptions: { preserveEntrySignatures: "allow-extension" },
  outputOptions: {
    codeSplitting: { groups: [{ name: libraryChunk }], includeDependenciesRecursively: false },
  },
};

/** `secondwind ask` once more, made to start quickly: src/cli/run-compiled.ts runs it. */
const ASK: UserConfig = {
  ...BOTH,
  entry: { ask: "src/cli/ask-main.ts" },
  outDir: "dist/ask",
  format: "cjs",
  dts: false,
  clean: true,
  plugins: [inlineWorker(), plainHeaders(), smallAscii()],
};

/**
 * The program's first file. In CommonJS, which Node runs without loading all that modules need: `ask` goes on from there. Its
 * first line, `#!/usr/bin/env node`, is kept, and the file is made executable.
 */
const LAUNCHER: UserConfig = {
  ...BOTH,
  entry: { cli: "src/cli.ts" },
  outDir: "dist",
  format: "cjs",
  dts: false,
  clean: false,
  plugins: [leave({ "./cli/main.ts": "./main.js" })],
};

export default defineConfig([PACKAGE, ASK, LAUNCHER]);
