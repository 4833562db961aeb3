import { join, relative } from "node:path";
import { build, type UserConfig } from "tsdown";
import configs from "../tsdown.config.ts";

/** Builds the program as it is published, without types and maps, into a folder. */
export async function buildProgram(folder: string): Promise<void> {
  for (const config of configs as UserConfig[]) {
    const outDir = join(folder, relative("dist", config.outDir ?? "dist"));
    await build({ ...config, config: false, outDir, dts: false, sourcemap: false, clean: false, logLevel: "error" });
  }
}
