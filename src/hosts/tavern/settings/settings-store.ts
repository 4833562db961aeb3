import { defineStore } from "pinia";
import { shallowRef } from "vue";
import type { Storage } from "../host/script-variables.ts";
import { readSettings, type Settings, settingsSchema } from "./schema.ts";

/** The settings as they are saved. What a person is still typing stays in its field until it is valid. */
export const createSettingsStore = (storage: Storage) =>
  defineStore("settings", () => {
    const saved = shallowRef<Settings>(readSettings(stored(storage)));

    /** Saves at once: when the script is unloaded nothing can be written any more. Nothing invalid gets in. */
    function change(changes: Partial<Settings>): boolean {
      if (!settingsSchema.partial().safeParse(changes).success) return false;
      saved.value = Object.freeze({ ...saved.value, ...changes });
      storage.write(changes);
      return true;
    }

    return { saved, change };
  })();

/** Variables that can't be read are no reason not to help: the defaults are good. */
function stored(storage: Storage): unknown {
  try {
    return storage.read();
  } catch (fault) {
    console.warn("Secondwind could not read its settings and uses the defaults:", fault);
    return undefined;
  }
}

export type SettingsStore = ReturnType<typeof createSettingsStore>;
