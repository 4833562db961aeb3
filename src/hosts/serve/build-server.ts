import { randomBytes } from "node:crypto";
import type { Server } from "node:http";
import { type Activity, openActivity } from "../../activity/index.ts";
import { type Assembly, openAssembly } from "../../assembly/index.ts";
import { accessFilePath, unstoredAccessKey } from "../../credentials/index.ts";
import { PRESETS } from "../../presets/index.ts";
import { SIMULATED } from "../../providers/index.ts";
import type { SimulatorOptions } from "../../simulator/http/index.ts";
import type { ModelInfo } from "../../wire/http/server.ts";
import { listModels } from "./api/list-models.ts";
import { livenessRoutes } from "./api/liveness-routes.ts";
import { openApiRoute } from "./api/openapi.ts";
import type { AnyRoute } from "./api/route.ts";
import { serveApi } from "./api/serve-api.ts";
import { sessionRoutes } from "./api/session-routes.ts";
import { settingsRoutes } from "./api/settings-routes.ts";
import { whyRoutes } from "./api/why-routes.ts";
import { Access } from "./guard/access.ts";
import { checkExposure } from "./guard/check-exposure.ts";
import type { Rules } from "./guard/judge-request.ts";
import { WrongKeys } from "./guard/wrong-keys.ts";
import { acceptSockets, type OpenSocket } from "./listener/accept-sockets.ts";
import { LIMITS, type Limits } from "./listener/limits.ts";
import { routeRequest } from "./listener/route-request.ts";
import { type Address, listen, makeListener } from "./listener/start-listener.ts";
import { findPageFolder } from "./page/find-page-folder.ts";
import { readPageFiles } from "./page/page-files.ts";
import { servePage } from "./page/serve-page.ts";
import { turnDefaults } from "./turn-defaults.ts";

export interface ServerOptions extends Address {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  /** Names besides its own that the server may be reached by. */
  readonly allowHosts?: readonly string[];
  /** An access key besides the stored ones. */
  readonly key?: string;
  readonly simulator?: Omit<SimulatorOptions, "port">;
  /** For tests. */
  readonly storePath?: string;
  readonly pageFolder?: string;
  readonly limits?: Partial<Limits>;
}

/** A server that listens. */
export interface RunningServer {
  readonly url: string;
  readonly port: number;
  readonly needsKey: boolean;
  readonly activity: Activity;
  /** The model that turns use if they name none. */
  readonly model: string;
  readonly isSimulated: boolean;
  readonly isPersistent: boolean;
  /** Stops accepting, lets running turns finish for this long, stores what is left as interrupted, and closes everything. */
  stop(drainMs: number): Promise<void>;
}

/** The concrete parts of the server, put together. Resolves once it listens. */
export async function buildServer(options: ServerOptions): Promise<RunningServer> {
  const { env, version, host, allowHosts = [], key, simulator, storePath } = options;
  const limits = { ...LIMITS, ...options.limits };
  const own = key === undefined ? undefined : unstoredAccessKey("key", key);
  const report = { reportFault: (fault: unknown, where: string): void => assembly.ports.reportFault(fault, where) };
  const access = new Access({
    path: accessFilePath(env),
    maxSessions: limits.sessions,
    ...report,
    ...(own !== undefined && { own }),
  });
  checkExposure({ host, needsKey: access.needsKey });
  const assembly: Assembly = await openAssembly({
    env,
    worksWithoutStore: true,
    ...(simulator !== undefined && { simulator }),
    ...(storePath !== undefined && { storePath }),
  });
  try {
    const defaults = turnDefaults(assembly);
    const { model } = await defaults();
    const isSimulated = assembly.defaultModel.startsWith(`${SIMULATED.name}/`);
    const activity = await openActivity(assembly);
    let isDraining = false;
    const token = randomBytes(32).toString("base64url");
    const wrongKeys = new WrongKeys(limits.wrongKeys);
    const rules: Rules = { bound: host, extra: allowHosts.map((name) => name.toLowerCase()), token, door: access };
    const models = (): readonly ModelInfo[] => listModels(assembly, env);
    const { store } = assembly;
    const routes: readonly AnyRoute[] = [
      ...livenessRoutes({ isReady: () => !isDraining }),
      ...sessionRoutes({ access, wrongKeys, token, version, isSimulated, store, models, defaults }),
      ...settingsRoutes({ config: store.config, models, policyNames: async () => Object.keys(PRESETS) }),
      ...whyRoutes(),
      openApiRoute(() => routes, version),
    ];
    const open: OpenSocket = () => undefined;
    const handlers = [
      serveApi({ routes, bodyBytes: limits.bodyBytes, ...report }),
      servePage(await readPageFiles(options.pageFolder ?? findPageFolder())),
    ];
    const sockets = acceptSockets({ rules, wrongKeys, limits, open });
    const server = makeListener(limits)
      .on("request", routeRequest({ rules, wrongKeys, handlers }))
      .on("upgrade", sockets.upgrade);
    const port = await listen(server, options);
    access.cookieName = `secondwind-${port}`;
    return {
      url: `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
      port,
      model,
      isSimulated,
      isPersistent: assembly.store.isPersistent,
      needsKey: access.needsKey,
      activity,
      stop: async () => {
        isDraining = true;
        server.close();
        sockets.close();
        closeConnections(server);
        await activity.close();
        await assembly.close();
      },
    };
  } catch (fault) {
    await assembly.close();
    throw assembly.redact(fault);
  }
}

function closeConnections(server: Server): void {
  server.closeAllConnections();
}
