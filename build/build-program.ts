import { join, relative } from "node:path";
import { build, type UserConfig } from "tsdown";
import { build as buildPage } from "vite";
import configs from "../tsdown.config.ts";

/** Builds the program as it is published, with the web page and without types and maps, into a folder. */
export async function buildProgram(folder: string): Promise<void> {
  for (const config of configs as UserConfig[]) {
    const outDir = join(folder, relative("dist", config.outDir ?? "dist"));
    await build({ ...config, config: false, outDir, dts: false, sourcemap: false, clean: false, logLevel: "error" });
  }
  await buildPage({ configFile: "vite.web.config.ts", logLevel: "error", build: { outDir: join(folder, "web") } });
}
