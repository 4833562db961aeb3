import { createPinia, setActivePinia } from "pinia";
import { watch } from "vue";
import { createContentCheck, systemPorts } from "../../system/index.ts";
import { reportFault } from "../../system/report-fault.ts";
import { Carrier } from "./carry/carrier.ts";
import { hostEvents } from "./carry/host-events.ts";
import { patternProblem } from "./carry/policy-for.ts";
import { createWrapping } from "./carry/wrap-functions.ts";
import { Connection } from "./host/connection.ts";
import { type HostFunction, languageOf, readHost } from "./host/host.ts";
import { interceptEvents, interceptHelper } from "./host/intercept.ts";
import { listen } from "./host/listen.ts";
import { QuotaDialogs } from "./host/quota-dialogs.ts";
import { scriptVariables } from "./host/script-variables.ts";
import { sourcesOf } from "./host/sources.ts";
import { StopButton } from "./host/stop-button.ts";
import { createActivityStore } from "./panel/activity-store.ts";
import { createModelTrial, type TrialFunctions } from "./panel/model-trial.ts";
import { mountPanel } from "./panel/mount-panel.ts";
import { TEXTS } from "./panel/texts.ts";
import { createSettingsStore } from "./settings/settings-store.ts";
import { Toaster } from "./toasts/toaster.ts";
import { TOGGLE_BUTTON } from "./toggle-button.ts";

// Builds and connects the script's parts. The host's functions are replaced last: if anything throws before, nothing has changed.
const host = readHost(window);
const { page, frame } = host;
const originals = { ...page.TavernHelper };
setActivePinia(createPinia());
const settings = createSettingsStore(scriptVariables(frame));
const texts = TEXTS[languageOf(host)];
const activity = createActivityStore();
const toaster = new Toaster(frame.toastr, () => settings.saved);
const stopButton = new StopButton(host);
const quotaDialogs = new QuotaDialogs(page);
const checkContent = createContentCheck();
const ports = systemPorts({ checkContent });

const carrier = new Carrier({
  page,
  ports,
  settings: () => settings.saved,
  stopInHost: (id) => (originals.stopGenerationById as HostFunction | undefined)?.(id),
  idle: () => connection.rest(),
  observers: [
    (event, carried) => stopButton.hear(event, carried),
    (event) => toaster.hear(event),
    (event) => quotaDialogs.hear(event),
    (event, carried) => activity.hear(event, carried),
  ],
});

const wrapping = createWrapping(carrier);
const connection: Connection = new Connection({
  takeFunctions: () => interceptHelper(page, wrapping.wrap),
  takeEvents() {
    const source = frame.SillyTavern?.eventSource;
    // Another version of the host may not offer its emitter. A listener changes the order for the others, but is better than none.
    if (typeof source?.emit !== "function") return listen(frame, Object.fromEntries(hostEvents(carrier)));
    return interceptEvents(page, source, wrapping.wrap);
  },
  isNeeded: () => carrier.isBusy,
});
const undo: (() => void)[] = [];
/** Reports a part that fails and continues without it: a broken panel must not cost the retries. */
function setUp(part: string, run: () => () => void): void {
  try {
    undo.push(run());
  } catch (fault) {
    reportFault(fault, part);
  }
}

function setEnabled(enabled: boolean): void {
  settings.change({ enabled });
  toaster.say(enabled ? "Auto-Retry Enabled" : "Auto-Retry Disabled");
}

setUp("button", () => {
  frame.appendInexistentScriptButtons?.([{ name: TOGGLE_BUTTON, visible: true }]);
  const event = frame.getButtonEvent?.(TOGGLE_BUTTON);
  return event === undefined ? () => undefined : listen(frame, { [event]: () => setEnabled(!settings.saved.enabled) });
});
setUp("panel", () =>
  mountPanel(host, {
    settings,
    activity,
    texts,
    sources: sourcesOf(page),
    tryModel: createModelTrial(originals as unknown as TrialFunctions),
  }),
);
setUp("stored pattern", () =>
  watch(
    () => settings.saved.enabled,
    (enabled) => {
      const isUsed = enabled && settings.saved.requiredContentEnabled;
      const problem = isUsed ? patternProblem(settings.saved) : undefined;
      if (problem !== undefined) toaster.say(texts.content.ignored(problem), "warning");
    },
    { flush: "sync", immediate: true },
  ),
);
setUp("functions", () => {
  const unwatch = watch(
    () => settings.saved.enabled,
    (enabled) => {
      if (enabled) return connection.open();
      carrier.endAll("disabled");
      connection.close();
    },
    { flush: "sync", immediate: true },
  );
  return () => {
    unwatch();
    connection.close();
  };
});

/** Everything must happen now: afterwards no timer fires and no promise settles in this frame. */
function unload(event: PageTransitionEvent): void {
  // The whole page enters the back/forward cache and may return.
  if (event.persisted) return;
  const steps = [
    () => wrapping.end(),
    () => carrier.abandonAll(),
    () => toaster.closeAll(),
    () => stopButton.close(),
    () => quotaDialogs.close(),
    () => checkContent.close(),
    ...undo.reverse(),
  ];
  for (const step of steps) {
    try {
      step();
    } catch (fault) {
      reportFault(fault, "unloading");
    }
  }
  window.removeEventListener("pagehide", unload);
}
window.addEventListener("pagehide", unload);
