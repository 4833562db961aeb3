import type { Activity } from "../../../activity/activity.ts";
import { SIMULATED, type SimulatorHandle } from "../../../providers/index.ts";
import { weatherRequestSchema } from "../../../wire/http/server.ts";
import { type AnyRoute, defineRoute } from "./route.ts";

/**
 * `/api/weather`: how the simulated provider behaves. It works whatever other providers there are. `activity`: cooldowns and breakers
 * of the simulated provider end with the weather that caused them.
 */
export function weatherRoutes(
  simulator: SimulatorHandle,
  activity?: Pick<Activity, "health" | "clear">,
): readonly AnyRoute[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/weather",
      summary: "Read the weather of the simulated provider",
      answer: "the weather, and the single faults to choose from",
      run: () => simulator.weather(),
    }),
    defineRoute({
      method: "PUT",
      path: "/api/weather",
      summary: "Change the weather of the simulated provider",
      body: weatherRequestSchema,
      answer: "the weather as it is now",
      async run({ body }) {
        simulator.set(body);
        // In fine weather a key that ran dry before would still rest for minutes.
        for (const { id, provider } of activity?.health().items ?? []) {
          if (provider === SIMULATED.name) await activity?.clear(id);
        }
        return simulator.weather();
      },
    }),
  ];
}
