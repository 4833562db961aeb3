import { defineConfig } from "vitest/config";
import { inlineWorker } from "./build/inline-worker.ts";

/** What mutants are judged by: the fast, exact tests of classify and decide. Properties of whole generations are too slow here. */
export default defineConfig({
  plugins: [inlineWorker()],
  test: {
    include: [
      "test/kernel/classify/**/*.test.ts",
      "test/kernel/decide/**/*.test.ts",
      "test/presets/**/*.test.ts",
      "test/corpus/**/*.test.ts",
      "test/issues/invalid-pattern-in-a-policy.test.ts",
      "test/issues/address-that-cannot-be-asked.test.ts",
      "test/issues/error-in-a-line-of-a-log.test.ts",
      "test/issues/class-that-overrules-the-status.test.ts",
      "test/issues/error-under-the-name-of-its-class.test.ts",
      "test/issues/message-too-large-for-grpc.test.ts",
      "test/issues/request-printed-with-its-error.test.ts",
      "test/issues/type-error-of-the-network.test.ts",
      "test/issues/page-instead-of-an-answer.test.ts",
      "test/issues/property-that-throws-inside.test.ts",
      "test/issues/response-hidden-in-an-error.test.ts",
      "test/issues/wait-until-a-date.test.ts",
      "test/system/guarded-pattern/validate-pattern.test.ts",
    ],
    exclude: [
      "test/kernel/decide/decide-properties.test.ts",
      "test/kernel/classify/sdk-errors.test.ts",
      "test/corpus/wrappers.test.ts",
    ],
    testTimeout: 20_000,
  },
});
