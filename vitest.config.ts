import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";
import { ENTRIES } from "./build/entries.ts";
import { inlineWorker } from "./build/inline-worker.ts";
import { BROWSER_SUITES, missingTools } from "./build/tools.ts";

/** The agents that are installed below test/agents bring tests of their own. */
const NOT_OURS = configDefaults.exclude;
const PROCESS_SUITES = "test/**/*-process.test.ts";
const withoutTool = [...new Set(missingTools().flatMap(({ suites }) => suites))];
/** `npx vitest` runs the unit tests. A path or a project on the command line chooses from all. */
const isChosen = process.argv.slice(2).some((word) => /^(?:--project\b|(?:\.\/)?test\b)/.test(word));

/** `kernel/index` is imported as `secondwind/kernel`. */
function aliasOf([name, file]: readonly [string, string]): { find: RegExp; replacement: string } {
  const path = name === "index" ? "secondwind" : `secondwind/${name.replace("/index", "")}`;
  return { find: new RegExp(`^${path}$`), replacement: fileURLToPath(new URL(file, import.meta.url)) };
}

export default defineConfig({
  plugins: [inlineWorker()],
  test: {
    testTimeout: process.env.SECONDWIND_SOAK === undefined ? 20_000 : 3_600_000,
    // One more than there are cores: half of the time the tests wait for processes, pages and clocks.
    maxWorkers: availableParallelism() + 1,
    // A project whose tool is missing has no files.
    passWithNoTests: withoutTool.length > 0,
    coverage: {
      provider: "v8",
      include: ["src/kernel/**/*.ts"],
      reporter: ["text-summary", "json-summary"],
      thresholds: { branches: 98 },
    },
    ...(!isChosen && { project: "unit" }),
    projects: [
      {
        extends: true,
        // The examples import the package by its name; their tests run them on the sources.
        resolve: { alias: Object.entries(ENTRIES).map(aliasOf) },
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: [...NOT_OURS, PROCESS_SUITES, BROWSER_SUITES],
          // The tests leave no global state: every worker loads the modules once.
          isolate: false,
          // Ink decides about colours when it is loaded, which happens once.
          env: { FORCE_COLOR: "1" },
        },
      },
      {
        extends: true,
        test: {
          name: "process",
          include: [PROCESS_SUITES],
          exclude: [...NOT_OURS, ...withoutTool],
          globalSetup: "test/support/build-program.ts",
        },
      },
      {
        extends: true,
        test: {
          name: "browser",
          include: [BROWSER_SUITES],
          exclude: [...NOT_OURS, ...withoutTool],
          // A browser, a server and other tests share two cores: what a page shows may come later than a second.
          expect: { poll: { timeout: 10_000 } },
          retry: 1,
          globalSetup: ["test/hosts/tavern/support/global-setup.ts", "test/support/build-program.ts"],
        },
      },
    ],
  },
});
