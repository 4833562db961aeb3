import type { AgentSession } from "../../session/index.ts";
import type { Redact, RpcCommand } from "../../wire/index.ts";
import { splitLines } from "../../wire/split-lines.ts";
import { carryOut } from "./carry-out.ts";
import { type LineOutput, LineWriter } from "./line-writer.ts";
import { parseCommand, refuseLongLine } from "./parse-command.ts";

export interface RpcService {
  readonly session: AgentSession;
  /** Takes the secrets out of every line. */
  readonly redact: Redact;
  /** Text as it comes in, already decoded. */
  readonly input: AsyncIterable<unknown>;
  readonly output: LineOutput;
}

/** Far more than any prompt, yet no danger to the memory. */
const MOST_LINE_CHARS = 16 * 1024 * 1024;

/**
 * Serves a session until the input ends, or nobody reads the output any more. Prompts that were acknowledged by then are still
 * answered.
 */
export async function serveRpc({ session, redact, input, output }: RpcService): Promise<void> {
  const writer = new LineWriter(output, redact);
  const leave = session.subscribe((event) => writer.write(event));
  const underWay = new Set<Promise<void>>();
  /** Not waited for: a command that takes its time must not keep the next one, perhaps an abort, from being heard. */
  const begin = (command: RpcCommand): void => {
    const answered = answer(session, command, writer).finally(() => underWay.delete(answered));
    underWay.add(answered);
  };
  try {
    for await (const lines of splitLines(input, MOST_LINE_CHARS)) {
      for (const { text, isTooLong } of lines) {
        if (!isTooLong && text.trim() === "") continue;
        const parsed = isTooLong ? refuseLongLine(MOST_LINE_CHARS) : parseCommand(text);
        if (parsed.ok) begin(parsed.command);
        else writer.write(parsed.response);
      }
      // Whoever does not read what we say gets no more to say.
      await writer.ready();
    }
  } catch (fault) {
    // With nobody to answer to, the input was cut on purpose: that is an end like any other.
    if (!writer.isClosed) throw fault;
  }
  await Promise.all(underWay);
  await session.whenIdle();
  leave();
  await writer.ready();
}

/** One response for each command, whatever happens. Resolves when the command has been carried out. */
async function answer(session: AgentSession, { id, ...command }: RpcCommand, writer: LineWriter): Promise<void> {
  const head = { ...(id !== undefined && { id }), type: "response" as const, command: command.type };
  try {
    await carryOut(session, command, (data) => {
      writer.write({ ...head, success: true, ...(data !== undefined && { data }) });
    });
  } catch (fault) {
    writer.write({ ...head, success: false, error: fault instanceof Error ? fault.message : String(fault) });
  }
}
