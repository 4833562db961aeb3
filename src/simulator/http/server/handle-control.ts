import type { IncomingMessage } from "node:http";
import { BEHAVIOUR_NAMES, parseBehaviour } from "../behaviour/parse-behaviour.ts";
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
      return jsonReply(200, {}, weatherOf(state));
    case "POST /_sim/weather":
      return changeWeather(body, state);
    case "GET /_sim/requests":
      return jsonReply(200, {}, { requests: state.log.requests.map(({ body: _body, sent: _sent, ...seen }) => seen) });
    case "GET /_sim/faults":
      return jsonReply(200, {}, FAULTS);
    case "POST /_sim/reset":
      state.reset();
      return jsonReply(200, {}, weatherOf(state));
    default:
      return jsonReply(404, {}, { error: `Unknown control request: ${call}` });
  }
}

function weatherOf({ weather, seed, fault }: SimulatorState): object {
  return fault === undefined ? { weather, seed } : { weather: "fault", fault: fault.name, seed };
}

function changeWeather(body: unknown, state: SimulatorState): Reply {
  if (fieldOf(body, "weather") === "fault") return changeFault(fieldOf(body, "fault"), state);
  const weather = WEATHERS.find((one) => one === fieldOf(body, "weather"));
  const seed = fieldOf(body, "seed") ?? state.seed;
  if (weather === undefined) return jsonReply(400, {}, { error: `weather must be one of ${WEATHERS.join(", ")}` });
  if (typeof seed !== "number" || !Number.isFinite(seed)) return jsonReply(400, {}, { error: "seed must be a number" });
  state.setWeather(weather, seed);
  return jsonReply(200, {}, { weather, seed });
}

function changeFault(name: unknown, state: SimulatorState): Reply {
  const fault = typeof name === "string" ? parseBehaviour(name) : undefined;
  if (fault === undefined) return jsonReply(400, {}, { error: `fault must be one of ${BEHAVIOUR_NAMES.join(", ")}` });
  state.setFault(fault.name);
  return jsonReply(200, {}, weatherOf(state));
}

/** Rejects web pages of other origins, and host names that were made to point to this machine. */
function isFromHere({ headers }: IncomingMessage): boolean {
  const { origin, host = "" } = headers;
  const isOwn = origin === undefined || LOOPBACK.test(origin.replace(/^https?:\/\//, ""));
  return isOwn && LOOPBACK.test(host);
}
