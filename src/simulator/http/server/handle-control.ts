import type { IncomingMessage } from "node:http";
import { WEATHERS } from "../behaviour/weather.ts";
import { fieldOf } from "../dialects/read-json.ts";
import { FAULTS } from "../faults/fault-table.ts";
import { jsonReply, type Reply } from "../wire/reply.ts";
import type { SimulatorState } from "./simulator-state.ts";

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/;

/** `/_sim/…`: controls the simulator while it runs. */
export function handleControl(request: IncomingMessage, path: string, body: unknown, state: SimulatorState): Reply {
  if (!isFromHere(request)) return jsonReply(403, {}, { error: "Only allowed from this machine" });
  const call = `${request.method} ${path}`;
  switch (call) {
    case "GET /_sim/weather":
      return jsonReply(200, {}, { weather: state.weather, seed: state.seed });
    case "POST /_sim/weather":
      return changeWeather(body, state);
    case "GET /_sim/requests":
      return jsonReply(200, {}, { requests: state.log.requests.map(({ body: _body, sent: _sent, ...seen }) => seen) });
    case "GET /_sim/faults":
      return jsonReply(200, {}, FAULTS);
    case "POST /_sim/reset":
      state.reset();
      return jsonReply(200, {}, { weather: state.weather, seed: state.seed });
    default:
      return jsonReply(404, {}, { error: `Unknown control request: ${call}` });
  }
}

function changeWeather(body: unknown, state: SimulatorState): Reply {
  const weather = WEATHERS.find((one) => one === fieldOf(body, "weather"));
  const seed = fieldOf(body, "seed") ?? state.seed;
  if (weather === undefined) return jsonReply(400, {}, { error: `weather must be one of ${WEATHERS.join(", ")}` });
  if (typeof seed !== "number" || !Number.isFinite(seed)) return jsonReply(400, {}, { error: "seed must be a number" });
  state.setWeather(weather, seed);
  return jsonReply(200, {}, { weather, seed });
}

/** Rejects web pages of other origins, and host names that were made to point to this machine. */
function isFromHere({ headers }: IncomingMessage): boolean {
  const { origin, host = "" } = headers;
  const isOwn = origin === undefined || LOOPBACK.test(origin.replace(/^https?:\/\//, ""));
  return isOwn && LOOPBACK.test(host);
}
