/** The files behind the package's import paths, by their place in `dist`. */
export const ENTRIES = {
  index: "src/index.ts",
  "kernel/index": "src/kernel/index.ts",
  "presets/index": "src/presets/index.ts",
  "adapters/ai-sdk/index": "src/adapters/ai-sdk/index.ts",
  "adapters/fetch/index": "src/adapters/fetch/index.ts",
  "adapters/testing/index": "src/adapters/testing/index.ts",
  "gateway/index": "src/gateway/index.ts",
  "jobs/index": "src/jobs/index.ts",
  "session/index": "src/session/index.ts",
  "turn/index": "src/turn/index.ts",
  "rpc/index": "src/hosts/rpc/index.ts",
  "providers/index": "src/providers/public.ts",
  "redis/index": "src/shared-health/public.ts",
  "store/index": "src/store/public.ts",
  "simulator/index": "src/simulator/http/index.ts",
} as const;
