import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Beside the built program, or in `dist` when it runs from the sources. */
const PLACES = ["./web/", "../web/", "../../../../dist/web/"] as const;

/** Where the built page is. */
export function findPageFolder(): string {
  const folders = PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url)));
  return folders.find((folder) => existsSync(`${folder}index.html`)) ?? (folders[0] as string);
}
