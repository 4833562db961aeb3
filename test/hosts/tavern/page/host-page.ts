import jQuery from "jquery";
import toastr from "toastr";
import { HostClock, settle } from "./clock.ts";
import { HostEvents } from "./events.ts";
import { createFrames } from "./frames.ts";
import { createHelper } from "./helper.ts";
import type { HostCall, Step } from "./steps.ts";

/** The outcome of a call. */
export type Outcome =
  | { readonly state: "pending" }
  | { readonly state: "resolved"; readonly value: unknown; readonly atMs: number }
  | { readonly state: "rejected"; readonly message: string; readonly isPagesError: boolean; readonly atMs: number };

/**
 * A page that behaves like SillyTavern with the Tavern Helper extension, as far as a script can tell, traps included. Tests
 * reach it as `window.tavern`.
 */
function createTavern() {
  const query = new URLSearchParams(location.search);
  const clock = new HostClock(query.get("clock") === "virtual");
  const events = new HostEvents();
  const calls: HostCall[] = [];
  const steps: Step[] = [];
  const redToasts: string[] = [];
  const variables = new Map<string, Record<string, unknown>>();
  const buttons = new Map<string, string[]>();
  const planned: { plan?: (call: HostCall) => Step } = {};

  const showStop = (isShown: boolean): void => {
    jQuery("#mes_stop").css("display", isShown ? "flex" : "none");
    jQuery("#send_but").css("display", isShown ? "none" : "flex");
  };
  let isQuotaTextLoaded = false;
  /**
   * The first one opens a moment later, when its text has been loaded. The others have the text at once and open before the failure
   * reaches the caller. The button removes a dialog after an animation.
   */
  async function openQuotaDialog(): Promise<void> {
    if (!isQuotaTextLoaded) await settle(2);
    isQuotaTextLoaded = true;
    await Promise.resolve();
    const dialog = document.createElement("dialog");
    dialog.className = "popup";
    dialog.innerHTML = `<h3>额度错误</h3><a href="https://platform.openai.com/account/usage">OpenAI</a>
<div class="popup-button-ok" data-result="1">OK</div>`;
    document.body.append(dialog);
    dialog.showModal();
    dialog.querySelector(".popup-button-ok")?.addEventListener("click", async () => {
      await settle(1);
      dialog.close();
      dialog.remove();
    });
  }
  const helper = createHelper({
    clock,
    events,
    nextStep: (call) => planned.plan?.(call) ?? steps.shift() ?? { do: "answer" },
    log: (call) => void calls.push(call),
    showRedToast: (text) => {
      redToasts.push(text);
      toastr.error("API Error", "", { timeOut: 1, showDuration: 0, hideDuration: 0 });
    },
    showStop,
    openQuotaDialog,
  });
  const shared = {
    $: jQuery,
    jQuery,
    toastr,
    SillyTavern: {
      deactivateSendButtons: () => showStop(true),
      activateSendButtons: () => showStop(false),
      getCurrentLocale: () => query.get("language") ?? "en",
      eventSource: events,
    },
  };
  const page = window as unknown as Record<string, unknown>;
  const TavernHelper: Record<string, unknown> = { ...helper.functions };
  Object.assign(page, { TavernHelper, SillyTavern: shared.SillyTavern, toastr, $: jQuery });
  const frames = createFrames({ clock, events, helper: TavernHelper, shared, variables, buttons });

  toastr.options = { timeOut: 4000, showDuration: 0, hideDuration: 0, positionClass: "toast-top-center" };
  jQuery(document).on("click", "#mes_stop", helper.pressStop);
  jQuery(document).on("click", ".inline-drawer-toggle", function (this: HTMLElement) {
    jQuery(this).closest(".inline-drawer").find(">.inline-drawer-content").toggle();
  });

  const outcomes: Outcome[] = [];
  /** Calls a generating function as a script or message in that frame (or the page itself) does. */
  function ask(from: string, config: Record<string, unknown>, name: HostCall["name"] = "generate"): number {
    const caller = (from === "page" ? TavernHelper : frames.windowOf(from)) as Record<string, unknown>;
    const index = outcomes.length;
    outcomes.push({ state: "pending" });
    const answer = (caller[name] as (config: object) => Promise<unknown>)(config);
    answer.then(
      (value) => {
        outcomes[index] = { state: "resolved", value, atMs: clock.now() };
      },
      (problem: unknown) => {
        const isPagesError = problem instanceof Error;
        const message = isPagesError ? problem.message : String(problem);
        outcomes[index] = { state: "rejected", message, isPagesError, atMs: clock.now() };
      },
    );
    return index;
  }

  return {
    ...frames,
    ask,
    outcomes,
    clock,
    events,
    calls,
    steps,
    planned,
    redToasts,
    variables,
    buttons,
    settle,
    openQuotaDialog,
    originals: helper.functions,
    running: helper.running,
    isStopShown: () => jQuery("#mes_stop").css("display") !== "none",
    toasts: () =>
      [...document.querySelectorAll(".toast:not(.toast-error) .toast-message, .toast-error .toast-message")]
        .map((element) => element.textContent ?? "")
        .filter((text) => text !== "API Error"),
  };
}

declare global {
  interface Window {
    tavern: ReturnType<typeof createTavern>;
  }
}

window.tavern = createTavern();
