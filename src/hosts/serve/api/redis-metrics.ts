import { metricText } from "../../../activity/index.ts";
import type { Assembly } from "../../../assembly/index.ts";

type Status = ReturnType<NonNullable<Assembly["redisStatus"]>>;

/** Figures of shared health for Prometheus. */
export function redisMetrics({ state, processes, outages, sent, received, roundTripMs }: Status): string {
  const one = (name: string, type: "counter" | "gauge", help: string, value: number): string =>
    metricText(name, type, help, [`${name} ${value}`]);
  const messages = "secondwind_redis_messages_total";
  return [
    one(
      "secondwind_redis_connected",
      "gauge",
      "1 while health is shared through Redis.",
      state === "connected" ? 1 : 0,
    ),
    one("secondwind_redis_processes", "gauge", "Processes that share health, this one included.", processes),
    one("secondwind_redis_outages_total", "counter", "How often Redis went away.", outages),
    metricText(messages, "counter", "Messages about health.", [
      `${messages}{direction="sent"} ${sent}`,
      `${messages}{direction="received"} ${received}`,
    ]),
    ...(roundTripMs === undefined
      ? []
      : [
          one(
            "secondwind_redis_round_trip_seconds",
            "gauge",
            "The quickest answer of Redis lately.",
            roundTripMs / 1000,
          ),
        ]),
  ].join("");
}
