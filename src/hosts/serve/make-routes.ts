import type { Activity } from "../../activity/index.ts";
import type { OpenedAssembly } from "../../assembly/index.ts";
import { SIMULATED } from "../../providers/index.ts";
import type { ModelInfo } from "../../wire/http/server.ts";
import { activityRoutes } from "./api/activity-routes.ts";
import { chatRoutes } from "./api/chat-routes.ts";
import { jobRoutes } from "./api/job-routes.ts";
import { labRoutes } from "./api/lab-routes.ts";
import { listModels } from "./api/list-models.ts";
import { livenessRoutes } from "./api/liveness-routes.ts";
import { openApiRoute } from "./api/openapi.ts";
import { policyRoutes } from "./api/policy-routes.ts";
import { redisMetrics } from "./api/redis-metrics.ts";
import type { AnyRoute } from "./api/route.ts";
import { sessionRoutes } from "./api/session-routes.ts";
import { settingsRoutes } from "./api/settings-routes.ts";
import { weatherRoutes } from "./api/weather-routes.ts";
import { whyRoutes } from "./api/why-routes.ts";
import type { TurnDefaults } from "./chat/chat-parts.ts";
import type { ChatService } from "./chat/chat-service.ts";
import type { Access } from "./guard/access.ts";
import type { WrongKeys } from "./guard/wrong-keys.ts";
import type { ServerJobs } from "./jobs/server-jobs.ts";
import type { PolicyBook } from "./policies/policy-book.ts";

interface RouteParts {
  readonly assembly: OpenedAssembly;
  readonly activity: Activity;
  readonly chat: ChatService;
  readonly jobs: ServerJobs;
  readonly policies: PolicyBook;
  readonly access: Access;
  readonly wrongKeys: WrongKeys;
  readonly token: string;
  readonly version: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly defaults: () => Promise<TurnDefaults>;
  /** False while the server shuts down. */
  readonly isReady: () => boolean;
  /** Aborts once the last turn has ended: what would never end by itself ends. */
  readonly stopping: AbortSignal;
}

/** Every path of the API, in the order of its document. */
export function makeRoutes(parts: RouteParts): { readonly routes: readonly AnyRoute[]; readonly isSimulated: boolean } {
  const { assembly, activity, chat, jobs, policies, access, wrongKeys, token, version, env, defaults } = parts;
  const { isReady, stopping } = parts;
  const { store, defaultModel, simulator, redisStatus } = assembly;
  const isSimulated = defaultModel.startsWith(`${SIMULATED.name}/`);
  const models = (): readonly ModelInfo[] => listModels(assembly, env, activity.health());
  const routes: readonly AnyRoute[] = [
    ...sessionRoutes({ access, wrongKeys, token, version, isSimulated, store, models, defaults, simulator }),
    ...chatRoutes(chat),
    ...jobRoutes(jobs, stopping),
    ...activityRoutes(
      activity,
      stopping,
      () => jobs.counts(),
      () => (redisStatus === undefined ? "" : redisMetrics(redisStatus())),
    ),
    ...settingsRoutes({ config: store.config, models, policyNames: () => policies.names() }),
    ...policyRoutes({ policies, activity }),
    ...labRoutes({ policies: () => policies.list(), stopping }),
    ...whyRoutes(),
    ...weatherRoutes(simulator, activity),
    ...livenessRoutes({ isReady, jobs: () => jobs.health(), ...(redisStatus !== undefined && { redisStatus }) }),
    openApiRoute(() => routes, version),
  ];
  return { routes, isSimulated };
}
