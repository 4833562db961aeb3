import { addAskCommand } from "../hosts/ask/ask-command.ts";
import { runProgram } from "./program.ts";

// `secondwind ask` alone, built as a separate script: see run-compiled.ts.
void runProgram([addAskCommand]);
