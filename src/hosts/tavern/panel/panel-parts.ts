import { type InjectionKey, inject } from "vue";
import type { Source } from "../host/sources.ts";
import type { SettingsStore } from "../settings/settings-store.ts";
import type { ActivityStore } from "./activity-store.ts";
import type { TryModel } from "./model-trial.ts";
import type { Texts } from "./texts.ts";

/** Available to every component of the panel. */
export interface PanelParts {
  readonly settings: SettingsStore;
  readonly activity: ActivityStore;
  readonly texts: Texts;
  /** For fallback models. */
  readonly sources: readonly Source[];
  readonly tryModel: TryModel;
}

export const PANEL_PARTS: InjectionKey<PanelParts> = Symbol("secondwind panel");

export function usePanelParts(): PanelParts {
  return inject(PANEL_PARTS) as PanelParts;
}
