import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Installed, installPacked, ROOT, runProgram } from "./pack.ts";

const COMPILERS = {
  "5.6": "test/package/typescript-5.6/node_modules/typescript",
  "5.9": "test/package/typescript-5.9/node_modules/typescript",
  "6.0": "node_modules/typescript",
};
/** Without Node's types, and without the DOM's in one of them: the package brings what its own types need. */
const RESOLUTIONS = [
  { module: "NodeNext", moduleResolution: "NodeNext", lib: ["ES2022"] },
  { module: "ESNext", moduleResolution: "Bundler", lib: ["ES2022", "DOM"] },
];

/** What a project that uses the AI SDK has besides. */
const AI_SDK = ["@ai-sdk/provider"];

let installed: Installed;
const module = (name: string): string => join(installed.project, "node_modules", name);

beforeAll(async () => {
  installed = await installPacked();
  await cp(join(import.meta.dirname, "consumer"), installed.project, { recursive: true });
  for (const name of AI_SDK) await cp(join(ROOT, "node_modules", name), module(name), { recursive: true });
}, 60_000);

afterAll(() => installed.remove());

async function compile(folder: string, version: string, name: string, config: object): Promise<void> {
  await writeFile(join(installed.project, name), JSON.stringify(config));
  const tsc = join(ROOT, folder, "bin/tsc");
  expect((await runProgram(process.execPath, [tsc, "--version"], ROOT)).out).toContain(`Version ${version}`);
  expect(await runProgram(process.execPath, [tsc, "-p", name], installed.project)).toEqual({ code: 0, out: "" });
}

describe("the types of the packed package", () => {
  for (const [version, folder] of Object.entries(COMPILERS)) {
    for (const resolution of RESOLUTIONS) {
      const compilerOptions = {
        ...resolution,
        strict: true,
        target: "ES2022",
        types: [],
        noEmit: true,
      };
      const name = `tsconfig-${version}-${resolution.moduleResolution}.json`;

      // The AI SDK's own types need those of the DOM, and take long.
      const hasDom = resolution.lib.includes("DOM");
      const what = hasDom ? "every subpath and models of the AI SDK" : "every subpath";

      test(`TypeScript ${version} compiles ${what} under ${resolution.moduleResolution}, strict and with library checks`, {
        timeout: 60_000,
      }, async () => {
        await compile(folder, version, name, { compilerOptions, include: hasDom ? ["*.ts", "ai-sdk/*.ts"] : ["*.ts"] });
      });
    }
  }

  test("TypeScript 6.0 compiles models of the AI SDK under NodeNext, with library checks", {
    timeout: 60_000,
  }, async () => {
    const compilerOptions = { module: "NodeNext", strict: true, target: "ES2022", types: [], noEmit: true };
    await compile(COMPILERS["6.0"], "6.0", "tsconfig-ai-sdk.json", { compilerOptions, include: ["ai-sdk/*.ts"] });
  });

  test("no declaration file refers to Zod or to Node", async () => {
    const names = await readdir(installed.package, { recursive: true });
    const declarations = names.filter((name) => name.endsWith(".d.ts"));
    expect(declarations.length).toBeGreaterThan(5);
    for (const name of declarations) {
      expect(await readFile(join(installed.package, name), "utf8"), name).not.toMatch(
        /\bzod|\bZod[A-Z]|\bz\.|\bNodeJS\.|\bBuffer\b|"node:|reference types=/,
      );
    }
  });
});

describe("the package as the checkers see it", () => {
  test("publint finds nothing to improve", { timeout: 60_000 }, async () => {
    const { code, out } = await runProgram("npx", ["publint", "run", installed.tarball, "--strict"], ROOT);
    expect(code, out).toBe(0);
    expect(out).toContain("All good!");
  });

  test("attw resolves every subpath for ESM and bundlers", { timeout: 60_000 }, async () => {
    const { code, out } = await runProgram(
      "npx",
      ["attw", installed.tarball, "--profile", "esm-only", "--no-emoji"],
      ROOT,
    );
    expect(code, out).toBe(0);
  });
});
