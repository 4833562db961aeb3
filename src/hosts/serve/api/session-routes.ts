import { z } from "zod";
import type { Assembly } from "../../../assembly/index.ts";
import type { SessionInfo } from "../../../wire/http/server.ts";
import type { Access } from "../guard/access.ts";
import { REFUSALS } from "../guard/refusals.ts";
import type { WrongKeys } from "../guard/wrong-keys.ts";
import { listModels } from "./list-models.ts";
import { type AnyRoute, ApiProblem, defineRoute } from "./route.ts";

interface SessionParts {
  readonly access: Access;
  readonly wrongKeys: WrongKeys;
  readonly token: string;
  readonly version: string;
  readonly assembly: Assembly;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly model: string;
  readonly isSimulated: boolean;
}

const MONTH_S = 30 * 24 * 3600;
const loginSchema = z.object({ key: z.string().min(1).max(4096).describe("an access key") });

/** What a page needs first, and how it logs in where the server has access keys. */
export function sessionRoutes(parts: SessionParts): readonly AnyRoute[] {
  const { access, wrongKeys, token, version, assembly, env, model, isSimulated } = parts;
  return [
    defineRoute({
      method: "GET",
      path: "/api/session",
      summary: "The token for requests that change something, and what the server has",
      answer: "`SessionInfo`",
      run: ({ client }): SessionInfo => {
        const needsKey = access.needsKey && client === undefined;
        return {
          token,
          version,
          needsKey,
          isSimulated,
          isPersistent: assembly.store.isPersistent,
          models: needsKey ? [] : listModels(assembly, env),
          model: needsKey ? "" : model,
          policy: needsKey ? "" : "patient",
          weather: { weather: "calm", faults: [] },
        };
      },
    }),
    defineRoute({
      method: "POST",
      path: "/api/session",
      summary: "Log in with an access key, for browsers",
      body: loginSchema,
      answer: "nothing; sets a cookie that scripts can't read",
      run: async ({ body }) => {
        const id = access.logIn(body.key);
        if (id !== undefined) return setCookie(access, id, MONTH_S);
        const why = (await wrongKeys.slowDown()) ? REFUSALS["key-wrong"] : REFUSALS["too-many-wrong-keys"];
        throw new ApiProblem(why.status, why.message, "key");
      },
    }),
  ];
}

function setCookie({ cookieName }: Access, value: string, seconds: number): Response {
  const cookie = `${cookieName}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}`;
  return new Response(null, { status: 204, headers: { "set-cookie": cookie, "cache-control": "no-store" } });
}
