import type { AgentSession } from "../../session/index.ts";
import { sleep } from "../../system/index.ts";
import type { Redact, RpcCommand } from "../../wire/index.ts";
import { splitLines } from "../../wire/split-lines.ts";
import { type LineOutput, LineWriter } from "./line-writer.ts";
import { parseCommand, refuseLongLine } from "./parse-command.ts";
import { runRpcCommand } from "./run-rpc-command.ts";

interface RpcService {
  readonly session: AgentSession;
  /** Applied to every line. */
  readonly redact: Redact;
  /** Decoded text in chunks. */
  readonly input: AsyncIterable<unknown>;
  readonly output: LineOutput;
}

/** How long commands of extensions may still run when everything else is done. */
const COMMANDS_WITHIN_MS = 2000;
/** Far more than any prompt, but no risk to memory. */
const MOST_LINE_CHARS = 16 * 1024 * 1024;

/** Serves a session until the input ends or the output is closed, then closes it. Acknowledged prompts are still answered. */
export async function serveRpc({ session, redact, input, output }: RpcService): Promise<void> {
  const writer = new LineWriter(output, redact);
  const leave = session.subscribe((event) => writer.write(event));
  const underWay = new Set<Promise<void>>();
  /** Apart: foreign code may never end. */
  const extensionCommands = new Set<Promise<void>>();
  /** Not awaited: a slow command must not delay the next one, which may be an abort. */
  const begin = (command: RpcCommand): void => {
    const group = command.type === "run_command" ? extensionCommands : underWay;
    const answered = answer(session, command, writer).finally(() => group.delete(answered));
    group.add(answered);
  };
  try {
    for await (const lines of splitLines(input, MOST_LINE_CHARS)) {
      for (const { text, isTooLong } of lines) {
        if (!isTooLong && text.trim() === "") continue;
        const parsed = isTooLong ? refuseLongLine(MOST_LINE_CHARS) : parseCommand(text, redact);
        if (parsed.type === "response") writer.write(parsed);
        else begin(parsed);
      }
      // Reads no more commands while the client does not read our output.
      await writer.ready();
    }
  } catch (fault) {
    // If the output is closed, we ended the input ourselves.
    if (!writer.isClosed) throw fault;
  }
  await Promise.all(underWay);
  await session.whenIdle();
  await atMost(COMMANDS_WITHIN_MS, Promise.all(extensionCommands));
  await session.whenIdle();
  // Before the subscription ends: extensions may report faults while they are unloaded.
  await session.close();
  leave();
  await writer.ready();
}

async function atMost(limitMs: number, work: Promise<unknown>): Promise<void> {
  const ended = new AbortController();
  const late = sleep(limitMs, ended.signal).catch(() => undefined);
  await Promise.race([work, late]);
  ended.abort();
}

/** Sends exactly one response per command. Resolves when the command has finished. */
async function answer(session: AgentSession, { id, ...command }: RpcCommand, writer: LineWriter): Promise<void> {
  const head = { ...(id !== undefined && { id }), type: "response" as const, command: command.type };
  try {
    await runRpcCommand(session, command, (data) => {
      writer.write({ ...head, success: true, ...(data !== undefined && { data }) });
    });
  } catch (fault) {
    writer.write({ ...head, success: false, error: fault instanceof Error ? fault.message : String(fault) });
  }
}
