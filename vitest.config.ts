import { defineConfig } from "vitest/config";
import { inlineWorker } from "./build/inline-worker.ts";

const IN_A_BROWSER = "test/hosts/tavern/browser/**/*.test.ts";

export default defineConfig({
  plugins: [inlineWorker()],
  test: {
    testTimeout: 20_000,
    coverage: {
      provider: "v8",
      include: ["src/kernel/**/*.ts"],
      reporter: ["text-summary", "json-summary"],
      thresholds: { branches: 98 },
    },
    projects: [
      { extends: true, test: { name: "node", include: ["test/**/*.test.ts"], exclude: [IN_A_BROWSER] } },
      {
        extends: true,
        test: {
          name: "browser",
          include: [IN_A_BROWSER],
          globalSetup: "test/hosts/tavern/support/global-setup.ts",
        },
      },
    ],
  },
});
