import { InvalidInput } from "../../../kernel/index.ts";
import type { ConfigEntry, ConfigStore } from "../../../store/index.ts";
import type { ModelInfo } from "../../../wire/http/server.ts";
import { settingsRequestSchema } from "../../../wire/http/server.ts";
import { type AnyRoute, defineRoute } from "./route.ts";

interface SettingsParts {
  readonly config: ConfigStore;
  readonly models: () => readonly ModelInfo[];
  /** Of presets and own policies. */
  readonly policyNames: () => Promise<readonly string[]>;
}

/** The config table, which the commands of the terminal share, and the models that can be used. */
export function settingsRoutes({ config, models, policyNames }: SettingsParts): readonly AnyRoute[] {
  const list = async (): Promise<{ readonly settings: readonly ConfigEntry[] }> => ({ settings: await config.list() });
  return [
    defineRoute({
      method: "GET",
      path: "/api/models",
      summary: "List the models that can be used",
      answer: "`{models}`, each a `ModelInfo`",
      run: () => ({ models: models() }),
    }),
    defineRoute({
      method: "GET",
      path: "/api/settings",
      summary: "List every setting with its value, its default and what is allowed",
      answer: "`{settings}`: `key`, `value`, `isDefault`, `description`, `allowed`",
      run: list,
    }),
    defineRoute<undefined, Record<string, unknown>>({
      method: "PUT",
      path: "/api/settings",
      summary: "Set several settings, all of them or none",
      body: settingsRequestSchema.describe("values by key; `null`: back to the default"),
      answer: "`{settings}`, as `GET` returns them",
      run: async ({ body }) => {
        const policy = body["serve.policy"];
        const names = typeof policy === "string" ? await policyNames() : [];
        if (typeof policy === "string" && !names.includes(policy))
          throw new InvalidInput("serve.policy", policy, `one of ${names.join(", ")}`);
        await config.setAll(body);
        return list();
      },
    }),
  ];
}
