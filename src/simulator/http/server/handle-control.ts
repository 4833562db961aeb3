import type { IncomingMessage } from "node:http";
import { WEATHERS } from "../behaviour/weather.ts";
import { fieldOf } from "../dialects/read-json.ts";
import { FAULTS } from "../faults/fault-table.ts";
import { jsonReply, type Reply } from "../wire/reply.ts";
import { setWeather } from "./set-weather.ts";
import type { World } from "./world.ts";

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/;

export interface ControlCall {
  readonly request: IncomingMessage;
  readonly path: string;
  readonly body: unknown;
  readonly world: World;
}

/** `/_sim/…`: how a test, a demo or a person steers the simulator while it runs. */
export function handleControl({ request, path, body, world }: ControlCall): Reply {
  if (!isFromHere(request)) return jsonReply(403, {}, { error: "Only from this machine" });
  const call = `${request.method} ${path}`;
  switch (call) {
    case "GET /_sim/weather":
      return jsonReply(200, {}, { weather: world.weather, seed: world.seed });
    case "POST /_sim/weather":
      return changeWeather(body, world);
    case "GET /_sim/requests":
      return jsonReply(200, {}, { requests: world.log.requests.map(({ body: _body, sent: _sent, ...seen }) => seen) });
    case "GET /_sim/faults":
      return jsonReply(
        200,
        {},
        Object.fromEntries(Object.entries(FAULTS).map(([n, { perform: _, ...fault }]) => [n, fault])),
      );
    case "POST /_sim/reset":
      world.reset();
      return jsonReply(200, {}, { weather: world.weather, seed: world.seed });
    default:
      return jsonReply(404, {}, { error: `The simulator has no ${call}` });
  }
}

function changeWeather(body: unknown, world: World): Reply {
  const weather = WEATHERS.find((one) => one === fieldOf(body, "weather"));
  const seed = fieldOf(body, "seed") ?? world.seed;
  if (weather === undefined) return jsonReply(400, {}, { error: `weather must be one of ${WEATHERS.join(", ")}` });
  if (typeof seed !== "number" || !Number.isFinite(seed)) return jsonReply(400, {}, { error: "seed must be a number" });
  setWeather(world, weather, seed);
  return jsonReply(200, {}, { weather, seed });
}

/** A web page in a browser on this machine, or a name that was made to point here, is somebody else. */
function isFromHere({ headers }: IncomingMessage): boolean {
  const { origin, host = "" } = headers;
  const isOwn = origin === undefined || LOOPBACK.test(origin.replace(/^https?:\/\//, ""));
  return isOwn && LOOPBACK.test(host);
}
