import { createApp } from "vue";
import type { Host } from "../host/host.ts";
import css from "./panel.css?inline";
import { PANEL_PARTS, type PanelParts } from "./panel-parts.ts";
import SettingsPanel from "./settings-panel.vue";

/** Adds the panel to the host's extension settings. Returns a function that removes it and its style. */
export function mountPanel({ page, frame }: Host, parts: PanelParts): () => void {
  const { document } = page;
  const style = document.createElement("style");
  style.textContent = css;
  const root = document.createElement("div");
  const scriptId = frame.getScriptId?.() ?? "";
  for (const element of [style, root]) element.setAttribute("script_id", scriptId);
  const app = createApp(SettingsPanel).provide(PANEL_PARTS, parts);
  document.head.append(style);
  (document.querySelector("#extensions_settings2") ?? document.body).append(root);
  app.mount(root);
  return () => {
    app.unmount();
    root.remove();
    style.remove();
  };
}
