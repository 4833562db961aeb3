import { writeFileSync } from "node:fs";

/** JSON has no Infinity: what did not happen within the run is "never". */
export function writeJson(file: string, value: unknown): void {
  const text = JSON.stringify(
    value,
    (_, each: unknown) => {
      if (typeof each !== "number") return each;
      return Number.isFinite(each) ? Math.round(each * 1e6) / 1e6 : "never";
    },
    1,
  );
  writeFileSync(file, `${text}\n`);
}
