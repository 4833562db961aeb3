import { createPinia, setActivePinia } from "pinia";
import { watch } from "vue";
import { createContentCheck, systemPorts } from "../../system/index.ts";
import { reportFault } from "../../system/report-fault.ts";
import { Carrier } from "./carry/carrier.ts";
import { createAlarms } from "./carry/frame-clock.ts";
import { createWrapping } from "./carry/wrap-functions.ts";
import { type HostFunction, languageOf, readHost } from "./host/host.ts";
import { intercept } from "./host/intercept.ts";
import { listen } from "./host/listen.ts";
import { scriptVariables } from "./host/script-variables.ts";
import { StopButton } from "./host/stop-button.ts";
import { createActivityStore } from "./panel/activity-store.ts";
import { createModelTrial, type TrialFunctions } from "./panel/model-trial.ts";
import { mountPanel } from "./panel/mount-panel.ts";
import { TEXTS } from "./panel/texts.ts";
import { createSettingsStore } from "./settings/settings-store.ts";
import { Toaster } from "./toasts/toaster.ts";
import { TOGGLE_BUTTON } from "./toggle-button.ts";

// The one place where the script's parts are built and joined. In the order of their need: if something throws on the way,
// nothing has been put in the place of a function of the host yet.
const host = readHost(window);
const { page, frame } = host;
const originals = { ...page.TavernHelper };
setActivePinia(createPinia());
const settings = createSettingsStore(scriptVariables(frame));
const activity = createActivityStore();
const toaster = new Toaster(frame.toastr, () => settings.saved);
const stopButton = new StopButton(host);
const checkContent = createContentCheck();
const ports = systemPorts({ ...createAlarms(), checkContent });

const carrier = new Carrier({
  page,
  ports,
  settings: () => settings.saved,
  stopInHost: (id) => (originals.stopGenerationById as HostFunction | undefined)?.(id),
  observers: [
    (event, carried) => stopButton.hear(event, carried),
    (event) => toaster.hear(event),
    (event, carried) => activity.hear(event, carried),
  ],
});

const wrapping = createWrapping(carrier);
const undo: (() => void)[] = [];
/** What people see is not worth the retries: a part that can't be put up is reported and left out. */
function putUp(part: string, put: () => () => void): void {
  try {
    undo.push(put());
  } catch (fault) {
    reportFault(fault, part);
  }
}

function setEnabled(enabled: boolean): void {
  settings.change({ enabled });
  toaster.say(enabled ? "Auto-Retry Enabled" : "Auto-Retry Disabled");
}

putUp("events of the host", () =>
  listen(frame, {
    js_generation_started: (id) => carrier.heardStart(id),
    js_stream_token_received_fully: (text, id) => carrier.heardToken(text, id),
    js_stream_token_received_incrementally: (text, id) => carrier.heardToken(text, id),
    generation_stopped: (id) => carrier.heardStop(id),
  }),
);
putUp("button", () => {
  frame.appendInexistentScriptButtons?.([{ name: TOGGLE_BUTTON, visible: true }]);
  const event = frame.getButtonEvent?.(TOGGLE_BUTTON);
  return event === undefined ? () => undefined : listen(frame, { [event]: () => setEnabled(!settings.saved.enabled) });
});
putUp("switch", () =>
  watch(
    () => settings.saved.enabled,
    (enabled) => {
      if (!enabled) carrier.endAll("disabled");
    },
    { flush: "sync" },
  ),
);
putUp("panel", () =>
  mountPanel(host, {
    settings,
    activity,
    texts: TEXTS[languageOf(host)],
    tryModel: createModelTrial(originals as unknown as TrialFunctions),
  }),
);
putUp("functions", () => {
  const interception = intercept(page, wrapping.wrap);
  return () => interception.restore();
});

/** From here on no timer of this frame fires and no promise of it goes on: everything has to be done now. */
function unload(event: PageTransitionEvent): void {
  // The page as a whole is put away and may come back as it was.
  if (event.persisted) return;
  wrapping.end();
  carrier.abandonAll();
  toaster.closeAll();
  stopButton.close();
  checkContent.close();
  for (const step of undo.reverse()) {
    try {
      step();
    } catch (fault) {
      reportFault(fault, "unloading");
    }
  }
  window.removeEventListener("pagehide", unload);
}
window.addEventListener("pagehide", unload);
