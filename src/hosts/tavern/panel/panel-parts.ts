import { type InjectionKey, inject } from "vue";
import type { SettingsStore } from "../settings/settings-store.ts";
import type { ActivityStore } from "./activity-store.ts";
import type { TryModel } from "./model-trial.ts";
import type { Texts } from "./texts.ts";

/** What every part of the panel works with. */
export interface PanelParts {
  readonly settings: SettingsStore;
  readonly activity: ActivityStore;
  readonly texts: Texts;
  readonly tryModel: TryModel;
}

export const PANEL_PARTS: InjectionKey<PanelParts> = Symbol("secondwind panel");

export function usePanelParts(): PanelParts {
  const parts = inject(PANEL_PARTS);
  if (parts === undefined) throw new Error("This part of the panel stands outside of it.");
  return parts;
}
