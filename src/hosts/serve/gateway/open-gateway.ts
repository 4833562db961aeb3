import { dirname, join } from "node:path";
import type { Activity } from "../../../activity/index.ts";
import type { OpenedAssembly } from "../../../assembly/index.ts";
import { keyFilePath } from "../../../credentials/index.ts";
import { createGateway } from "../../../gateway/index.ts";
import type { GatewayHandler } from "../listener/route-request.ts";
import { GatewayFile } from "./gateway-file.ts";

export interface OpenedGateway extends GatewayHandler {
  /** Lets what is under way finish for this long. */
  close(drainMs: number): Promise<void>;
}

interface GatewayParts {
  readonly activity: Activity;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The gateway of this server: its file, the health of the process, and the activity. */
export async function openGateway(assembly: OpenedAssembly, { activity, env }: GatewayParts): Promise<OpenedGateway> {
  const { health, ports, redact } = assembly;
  const file = new GatewayFile(join(dirname(keyFilePath(env)), "gateway.json"), assembly);
  const gateway = createGateway({
    ...file.read(),
    health,
    ports,
    redact,
    watch: ({ endpoint, model, client, policy }) =>
      activity.watch({
        door: "gateway",
        policy,
        asked: `${endpoint}/${model}`,
        ...(client !== "" && { client }),
      }),
  });
  const stopWatching = file.watch((config) => gateway.configure(config));
  return {
    accepts: (path) => gateway.takes(path),
    handle: (request, response, { client }) =>
      gateway.handle(request, response, client === undefined ? {} : { name: client, isKnown: true }),
    close: async (drainMs) => {
      stopWatching();
      await gateway.close(drainMs);
    },
  };
}
