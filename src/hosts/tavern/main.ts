import { createPinia, setActivePinia } from "pinia";
import { watch } from "vue";
import { createContentCheck, systemPorts } from "../../system/index.ts";
import { reportFault } from "../../system/report-fault.ts";
import { Carrier } from "./carry/carrier.ts";
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

// Builds and connects the script's parts. The host's functions are replaced last: if anything throws before, nothing has changed.
const host = readHost(window);
const { page, frame } = host;
const originals = { ...page.TavernHelper };
setActivePinia(createPinia());
const settings = createSettingsStore(scriptVariables(frame));
const activity = createActivityStore();
const toaster = new Toaster(frame.toastr, () => settings.saved);
const stopButton = new StopButton(host);
const checkContent = createContentCheck();
const ports = systemPorts({ checkContent });

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

setUp("events of the host", () =>
  listen(frame, {
    js_generation_started: (id) => carrier.heardStart(id),
    js_stream_token_received_fully: (text, id) => carrier.heardToken(text, id),
    js_stream_token_received_incrementally: (text, id) => carrier.heardToken(text, id),
    // Reasoning events of other host versions: life, but no content.
    js_reasoning_token_received_fully: (_, id) => carrier.heardToken("", id),
    js_reasoning_token_received_incrementally: (_, id) => carrier.heardToken("", id),
    generation_stopped: (id) => carrier.heardStop(id),
  }),
);
setUp("button", () => {
  frame.appendInexistentScriptButtons?.([{ name: TOGGLE_BUTTON, visible: true }]);
  const event = frame.getButtonEvent?.(TOGGLE_BUTTON);
  return event === undefined ? () => undefined : listen(frame, { [event]: () => setEnabled(!settings.saved.enabled) });
});
setUp("switch", () =>
  watch(
    () => settings.saved.enabled,
    (enabled) => {
      if (!enabled) carrier.endAll("disabled");
    },
    { flush: "sync" },
  ),
);
setUp("panel", () =>
  mountPanel(host, {
    settings,
    activity,
    texts: TEXTS[languageOf(host)],
    tryModel: createModelTrial(originals as unknown as TrialFunctions),
  }),
);
setUp("functions", () => intercept(page, wrapping.wrap));

/** Everything must happen now: afterwards no timer fires and no promise settles in this frame. */
function unload(event: PageTransitionEvent): void {
  // The whole page enters the back/forward cache and may return.
  if (event.persisted) return;
  const steps = [
    () => wrapping.end(),
    () => carrier.abandonAll(),
    () => toaster.closeAll(),
    () => stopButton.close(),
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
