import { defineStore } from "pinia";
import { computed, shallowRef } from "vue";
import type { SessionInfo, WeatherRequest, WeatherView } from "../../../wire/http/server.ts";
import { ApiFailure } from "../api/api-failure.ts";
import { api, logIn, openSession } from "../api/http.ts";

/** What the server is: version, models, weather; whether it responds and whether it needs a key. */
export const useSession = defineStore("session", () => {
  const info = shallowRef<SessionInfo>();
  const state = shallowRef<"opening" | "ready" | "needs-key" | "unreachable">("opening");

  /** False: the server does not respond, or needs a key. */
  async function open(): Promise<boolean> {
    try {
      const opened = await openSession();
      info.value = opened;
      state.value = opened.needsKey ? "needs-key" : "ready";
    } catch (error) {
      state.value = error instanceof ApiFailure && error.status === 401 ? "needs-key" : "unreachable";
    }
    return state.value === "ready";
  }

  /** What may have changed. Without a response, what was known stays. */
  async function refresh(): Promise<void> {
    if (state.value !== "ready") return;
    const now = await openSession().catch(() => undefined);
    if (now?.needsKey === true) state.value = "needs-key";
    else if (now !== undefined) info.value = now;
  }

  /** Throws if the server does not accept the key. */
  async function enter(key: string): Promise<boolean> {
    await logIn(key);
    return open();
  }

  /** For the simulated provider, so for every tab. */
  async function chooseWeather(request: WeatherRequest): Promise<void> {
    const weather = await api.put<WeatherView>("/api/weather", request);
    if (info.value !== undefined) info.value = { ...info.value, weather };
  }

  return {
    info,
    state,
    open,
    refresh,
    enter,
    chooseWeather,
    isSimulated: computed(() => info.value?.isSimulated ?? false),
  };
});
