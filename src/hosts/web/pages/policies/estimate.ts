import { onScopeDispose, type Ref, shallowRef, watch } from "vue";
import type { Policy } from "../../../../kernel/index.ts";
import type { Estimate } from "../../../../wire/http/server.ts";
import { api } from "../../api/http.ts";
import { sayFailure } from "../../api/say-failure.ts";

/** Typing is over when nothing has changed for so long. */
const QUIET_MS = 500;

/** What a policy would have done. A newer policy cancels the request for an older one; the last figures stay until there are new ones. */
export function useEstimate(policy: Readonly<Ref<Policy>>) {
  const estimate = shallowRef<Estimate>();
  const problem = shallowRef("");
  const isWorking = shallowRef(false);
  let abort = new AbortController();
  let timer: number | undefined;

  async function ask(asked: Policy): Promise<void> {
    const { signal } = abort;
    try {
      estimate.value = await api.post<Estimate>("/api/policies/estimate", { policy: asked }, signal);
      problem.value = "";
    } catch (error) {
      if (signal.aborted) return;
      problem.value = sayFailure(error);
    }
    isWorking.value = false;
  }

  function stop(): void {
    window.clearTimeout(timer);
    abort.abort();
  }

  watch(
    policy,
    (asked, before) => {
      if (before !== undefined && JSON.stringify(asked) === JSON.stringify(before)) return;
      stop();
      abort = new AbortController();
      isWorking.value = true;
      timer = window.setTimeout(() => void ask(asked), before === undefined ? 0 : QUIET_MS);
    },
    { immediate: true },
  );
  onScopeDispose(stop);
  return { estimate, problem, isWorking };
}
