import { dirname, join } from "node:path";
import type { Activity } from "../../../activity/index.ts";
import type { OpenedAssembly } from "../../../assembly/index.ts";
import { keyFilePath } from "../../../credentials/index.ts";
import { createGateway } from "../../../gateway/index.ts";
import type { GatewayHandler } from "../listener/route-request.ts";
import type { PolicyBook } from "../policies/policy-book.ts";
import { AliasPolicies } from "./alias-policies.ts";
import { openRecorder } from "./bodies/record-bodies.ts";
import { GatewayFile } from "./gateway-file.ts";

export interface OpenedGateway extends GatewayHandler {
  /** Lets what is under way finish for this long. */
  close(drainMs: number): Promise<void>;
}

interface GatewayParts {
  readonly activity: Activity;
  readonly policies: PolicyBook;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where to write down bodies. Default: nowhere. */
  readonly bodyFolder?: string;
}

/** The gateway of this server: its file, the health of the process, and the activity. */
export async function openGateway(
  assembly: OpenedAssembly,
  { activity, policies, env, bodyFolder }: GatewayParts,
): Promise<OpenedGateway> {
  const { health, ports, redact, redactPieces, keysFor } = assembly;
  const own = new AliasPolicies(policies);
  await own.refresh();
  const path = join(dirname(keyFilePath(env)), "gateway.json");
  const say = (text: string): void => void process.stderr.write(`secondwind: ${redact(text)}\n`);
  const file = new GatewayFile(path, { keysFor, say, ownPolicies: own.byName });
  let config = file.read();
  const gateway = createGateway({
    ...config,
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
  const { look, stop } = file.watch((changed) => {
    gateway.configure(changed);
    config = changed;
  });
  own.follow(() => config, look);
  const recorder = bodyFolder === undefined ? undefined : openRecorder(bodyFolder, { say, redactPieces });
  return {
    accepts: (path) => gateway.takes(path),
    handle: (request, response, { client }) => {
      recorder?.follow(request, response, client);
      gateway.handle(request, response, client === undefined ? {} : { name: client, isKnown: true });
    },
    close: async (drainMs) => {
      stop();
      await gateway.close(drainMs);
      await recorder?.flushed();
    },
  };
}
