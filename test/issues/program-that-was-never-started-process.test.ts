import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, test } from "vitest";

const KILLED_AT_ONCE = `
  import { startProgram } from "./start-program.ts";
  const program = startProgram({ cwd: "/no/such/folder" });
  program.kill();
  await program.whyEnded();
`;

test("S9: killing a program that could not be started leaves the processes of the caller's group alone", async () => {
  const resolveDir = fileURLToPath(new URL("../../src/hosts/rpc", import.meta.url));
  const stdin = { contents: KILLED_AT_ONCE, resolveDir, loader: "ts" } as const;
  // Plain JavaScript: a loader of TypeScript in the process hides the fault.
  const { outputFiles } = await build({ stdin, bundle: true, platform: "node", format: "esm", write: false });
  const code = outputFiles[0]?.text ?? "";
  // A group of its own, which is what the signal would go to.
  const child = spawn(process.execPath, ["--input-type=module", "-e", code], { detached: true, stdio: "ignore" });
  expect(await once(child, "exit")).toEqual([0, null]);
});
