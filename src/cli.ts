#!/usr/bin/env node
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runCompiled } from "./cli/run-compiled.ts";

// There only where it was built: from the sources every command goes the same way.
const ASK = fileURLToPath(new URL("./ask/ask.cjs", import.meta.url));

// Who asks from a script, in a loop, waits for the start each time.
if (process.argv[2] === "ask" && existsSync(ASK)) runCompiled(ASK);
else void import("./cli/main.ts").then(({ main }) => main());
