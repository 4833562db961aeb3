import { addAccessCommand } from "../hosts/access/access-command.ts";
import { addAskCommand } from "../hosts/ask/ask-command.ts";
import { addBatchCommand } from "../hosts/batch/batch-command.ts";
import { addChatCommand } from "../hosts/chat/chat-command.ts";
import { addCompletionCommand } from "../hosts/completion/completion-command.ts";
import { addConsoleCommand } from "../hosts/console/console-command.ts";
import { addDemoCommand } from "../hosts/demo/demo-command.ts";
import { addEmbedCommand } from "../hosts/embed/embed-command.ts";
import { addJobsCommand } from "../hosts/jobs/jobs-command.ts";
import { addKeysCommand } from "../hosts/keys/keys-command.ts";
import { addLabCommand } from "../hosts/lab/lab-command.ts";
import { addModelsCommand } from "../hosts/models/models-command.ts";
import { addRpcCommand } from "../hosts/rpc/rpc-command.ts";
import { addServeCommand } from "../hosts/serve/serve-command.ts";
import { addSimCommand } from "../hosts/sim/sim-command.ts";
import { addWhyCommand } from "../hosts/why/why-command.ts";
import { addWorkCommand } from "../hosts/work/work-command.ts";
import { type AddCommand, runProgram } from "./program.ts";

/** In the order in which help lists them. */
const COMMANDS: readonly AddCommand[] = [
  addServeCommand,
  addWorkCommand,
  addJobsCommand,
  addWhyCommand,
  addDemoCommand,
  addSimCommand,
  addLabCommand,
  addModelsCommand,
  addKeysCommand,
  addAccessCommand,
  addChatCommand,
  addAskCommand,
  addBatchCommand,
  addEmbedCommand,
  addConsoleCommand,
  addRpcCommand,
  addCompletionCommand,
];

/** The whole command line. */
export function main(): Promise<void> {
  return runProgram(COMMANDS);
}
