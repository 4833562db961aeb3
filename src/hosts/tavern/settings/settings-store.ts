import { defineStore } from "pinia";
import { shallowRef } from "vue";
import type { Storage } from "../host/script-variables.ts";
import { readSettings, type Settings, settingsSchema } from "./schema.ts";

/** The saved settings. A value being typed stays in its field until it is valid. */
export const createSettingsStore = (storage: Storage) =>
  defineStore("settings", () => {
    const saved = shallowRef<Settings>(readSettings(stored(storage)));

    /** Saves valid changes at once: nothing can be written once the script unloads. */
    function change(changes: Partial<Settings>): void {
      if (!settingsSchema.partial().safeParse(changes).success) return;
      saved.value = Object.freeze({ ...saved.value, ...changes });
      storage.write(changes);
    }

    return { saved, change };
  })();

/** If the variables can't be read, the defaults apply. */
function stored(storage: Storage): unknown {
  try {
    return storage.read();
  } catch (fault) {
    console.warn("Secondwind can't read its settings and uses the defaults:", fault);
    return undefined;
  }
}

export type SettingsStore = ReturnType<typeof createSettingsStore>;
