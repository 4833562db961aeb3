import { randomBytes } from "node:crypto";
import { setMaxListeners } from "node:events";
import { dirname, join } from "node:path";
import { type Activity, openActivity } from "../../activity/index.ts";
import { type OpenedAssembly, openAssembly } from "../../assembly/index.ts";
import { accessFilePath, unstoredAccessKey } from "../../credentials/index.ts";
import type { SimulatorOptions } from "../../simulator/http/index.ts";
import { defaultStorePath } from "../../store/index.ts";
import { serveApi } from "./api/serve-api.ts";
import { openChat } from "./chat/open-chat.ts";
import { serveSocket } from "./chat/serve-socket.ts";
import { openGateway } from "./gateway/open-gateway.ts";
import { Access } from "./guard/access.ts";
import { checkExposure } from "./guard/check-exposure.ts";
import type { Rules } from "./guard/judge-request.ts";
import { WrongKeys } from "./guard/wrong-keys.ts";
import { ServerJobs } from "./jobs/server-jobs.ts";
import { acceptSockets } from "./listener/accept-sockets.ts";
import { closeListener } from "./listener/close-listener.ts";
import { declineUpgrade, isWebSocket } from "./listener/decline-upgrade.ts";
import { LIMITS, type Limits } from "./listener/limits.ts";
import { routeRequest } from "./listener/route-request.ts";
import { type Address, listen, makeListener } from "./listener/start-listener.ts";
import { makeRoutes } from "./make-routes.ts";
import { findPageFolder } from "./page/find-page-folder.ts";
import { readPageFiles } from "./page/page-files.ts";
import { servePage } from "./page/serve-page.ts";
import { PolicyBook } from "./policies/policy-book.ts";
import { turnDefaults } from "./turn-defaults.ts";

export interface ServerOptions extends Address {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  /** Names besides its own that the server may be reached by. */
  readonly allowHosts?: readonly string[];
  /** An access key besides the stored ones. */
  readonly key?: string;
  /** A folder whose files the chat may read. */
  readonly files?: string;
  /** Jobs that the server runs at a time; 0: only workers elsewhere run them. Default 50. */
  readonly jobs?: number;
  readonly simulator?: Omit<SimulatorOptions, "port">;
  /** Whether to write down the bodies of the gateway's generations, in a folder beside the store. */
  readonly recordsBodies?: boolean;
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
  /** The model that turns use if they name none. */
  readonly model: string;
  readonly isSimulated: boolean;
  readonly isPersistent: boolean;
  readonly activity: Activity;
  readonly runningTurns: number;
  /** Where bodies are written down, if they are. */
  readonly bodyFolder: string | undefined;
  /** Stops accepting, lets running turns finish for this long, stores what is left as interrupted, and closes everything. */
  stop(drainMs: number): Promise<void>;
}

const USUAL_JOBS = 50;

/** The concrete parts of the server, put together. Resolves once it listens. */
export async function buildServer(options: ServerOptions): Promise<RunningServer> {
  const { env, host, key, simulator, storePath } = options;
  const limits = { ...LIMITS, ...options.limits };
  const access = new Access({
    path: accessFilePath(env),
    maxSessions: limits.sessions,
    reportFault: (fault, where) => assembly.ports.reportFault(fault, where),
    ...(key !== undefined && { own: unstoredAccessKey("key", key) }),
  });
  checkExposure({ host, needsKey: access.needsKey });
  const assembly: OpenedAssembly = await openAssembly({
    env,
    worksWithoutStore: true,
    ...(simulator !== undefined && { simulator }),
    ...(storePath !== undefined && { storePath }),
  });
  try {
    return await serveOn(assembly, access, { ...options, limits });
  } catch (fault) {
    await assembly.close();
    throw assembly.redact(fault);
  }
}

type Options = ServerOptions & { readonly limits: Limits };

async function serveOn(assembly: OpenedAssembly, access: Access, options: Options): Promise<RunningServer> {
  const { env, jobs: concurrency = USUAL_JOBS, storePath } = options;
  const activity = await openActivity(assembly);
  const jobs = await ServerJobs.open({
    ...{ assembly, activity, env, concurrency },
    ...(storePath !== undefined && { storePath }),
  });
  try {
    return await openDoors({ assembly, access, activity, jobs }, options);
  } catch (fault) {
    // A worker would keep the process alive.
    await jobs.close(0);
    throw fault;
  }
}

interface Parts {
  readonly assembly: OpenedAssembly;
  readonly access: Access;
  readonly activity: Activity;
  readonly jobs: ServerJobs;
}

async function openDoors(
  { assembly, access, activity, jobs }: Parts,
  { env, version, host, allowHosts = [], files, limits, ...options }: Options,
): Promise<RunningServer> {
  const { ports } = assembly;
  const defaults = turnDefaults(assembly);
  const policies = new PolicyBook(assembly.store.config);
  const policyOf = (name: string) => policies.find(name);
  const chat = openChat(assembly, {
    ...{ activity, defaults, policyOf },
    maxTurns: limits.turns,
    ...(files !== undefined && { files }),
  });
  const token = randomBytes(32).toString("base64url");
  const wrongKeys = new WrongKeys(limits.wrongKeys);
  const rules: Rules = { bound: host, extra: allowHosts.map((name) => name.toLowerCase()), token, door: access };
  let isDraining = false;
  const stopping = new AbortController();
  // Every stream listens to it.
  setMaxListeners(0, stopping.signal);
  const { routes, isSimulated } = makeRoutes({
    ...{ assembly, activity, chat, jobs, policies, access, wrongKeys, token, version, env, defaults },
    isReady: () => !isDraining,
    stopping: stopping.signal,
  });
  const handlers = [
    serveApi({ routes, bodyBytes: limits.bodyBytes, reportFault: ports.reportFault }),
    servePage(await readPageFiles(options.pageFolder ?? findPageFolder())),
  ];
  const bodyFolder =
    options.recordsBodies === true ? besideStore(options.storePath ?? defaultStorePath(env)) : undefined;
  const gateway = await openGateway(assembly, {
    ...{ activity, policies, env },
    ...(bodyFolder !== undefined && { bodyFolder }),
  });
  const sockets = acceptSockets({
    ...{ rules, wrongKeys, limits },
    isElsewhere: (path) => gateway.accepts(path),
    open: (socket, caller) => serveSocket(socket, { service: chat, activity, ports, ...caller }),
  });
  const server = makeListener(limits)
    .on("request", routeRequest({ rules, wrongKeys, gateway, handlers, reportFault: ports.reportFault }))
    .on("upgrade", (request, socket, head) => {
      if (isWebSocket(request)) sockets.upgrade(request, socket, head);
      else declineUpgrade(server, request, socket, head);
    });
  const port = await listen(server, { host, ...options });
  // Without a listener, an accept that fails (too many open files) would end the process.
  server.on("error", (fault) => ports.reportFault(fault, "listener"));
  access.cookieName = `secondwind-${port}`;
  return {
    url: urlOf(host, port),
    port,
    ...{ activity, isSimulated, bodyFolder, needsKey: access.needsKey, isPersistent: assembly.store.isPersistent },
    model: (await defaults()).model,
    get runningTurns() {
      return chat.running;
    },
    stop: async (drainMs) => {
      isDraining = true;
      await closeListener(server, sockets, async () => {
        await Promise.all([chat.drain(drainMs), gateway.close(drainMs), jobs.close(drainMs)]);
        stopping.abort();
      });
      await activity.close();
      await assembly.close();
    },
  };
}

function besideStore(storePath: string): string {
  return join(dirname(storePath), "bodies");
}

/** Where this machine reaches it. */
function urlOf(host: string, port: number): string {
  if (host === "0.0.0.0" || host === "::") return `http://127.0.0.1:${port}`;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
