#!/usr/bin/env node
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runCompiled } from "./cli/run-compiled.ts";

// Exists only in a build: from the sources every command runs through main.ts.
const ASK = fileURLToPath(new URL("./ask/ask.cjs", import.meta.url));

// A script that calls `ask` in a loop pays for the start each time.
if (process.argv[2] === "ask" && existsSync(ASK)) runCompiled(ASK);
else void import("./cli/main.ts").then(({ main }) => main());
