import { defineConfig } from "vitest/config";
import { inlineWorker } from "./build/inline-worker.ts";

export default defineConfig({
  plugins: [inlineWorker()],
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 20_000,
    coverage: {
      provider: "v8",
      include: ["src/kernel/**/*.ts"],
      reporter: ["text-summary", "json-summary"],
      thresholds: { branches: 98 },
    },
  },
});
