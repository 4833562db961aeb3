import { z } from "zod";
import type { SimulatorHandle } from "../../../providers/index.ts";
import type { Store } from "../../../store/index.ts";
import type { ModelInfo, SessionInfo } from "../../../wire/http/server.ts";
import type { TurnDefaults } from "../chat/chat-parts.ts";
import type { Access } from "../guard/access.ts";
import { REFUSALS } from "../guard/refusals.ts";
import type { WrongKeys } from "../guard/wrong-keys.ts";
import { type AnyRoute, ApiProblem, defineRoute } from "./route.ts";

interface SessionParts {
  readonly access: Access;
  readonly wrongKeys: WrongKeys;
  readonly token: string;
  readonly version: string;
  readonly isSimulated: boolean;
  readonly store: Pick<Store, "isPersistent">;
  readonly models: () => readonly ModelInfo[];
  readonly defaults: () => Promise<TurnDefaults>;
  readonly simulator: Pick<SimulatorHandle, "weather">;
}

/** What a client without a key learns of the settings. */
const NOTHING: TurnDefaults = { model: "", policy: "" };
const MONTH_S = 30 * 24 * 3600;
const loginSchema = z.object({ key: z.string().min(1).max(4096).describe("an access key") });

/** What a page needs first, and how it logs in where the server has access keys. */
export function sessionRoutes(parts: SessionParts): readonly AnyRoute[] {
  const { access, wrongKeys, token, version, isSimulated, store, models, defaults, simulator } = parts;
  return [
    defineRoute({
      method: "GET",
      path: "/api/session",
      summary: "Get the token for requests that change something, and what the server has",
      answer: "`SessionInfo`",
      run: async ({ client }): Promise<SessionInfo> => {
        const needsKey = access.needsKey && client === undefined;
        const { model, policy } = needsKey ? NOTHING : await defaults();
        return {
          token,
          version,
          now: Date.now(),
          needsKey,
          isSimulated,
          isPersistent: store.isPersistent,
          models: needsKey ? [] : models(),
          model,
          policy,
          weather: simulator.weather(),
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
    defineRoute({
      method: "DELETE",
      path: "/api/session",
      summary: "Log out",
      answer: "nothing; the cookie no longer counts",
      run: ({ cookie }) => {
        access.logOut(cookie ?? "");
        return setCookie(access, "", 0);
      },
    }),
  ];
}

function setCookie({ cookieName }: Access, value: string, seconds: number): Response {
  const cookie = `${cookieName}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}`;
  return new Response(null, { status: 204, headers: { "set-cookie": cookie, "cache-control": "no-store" } });
}
