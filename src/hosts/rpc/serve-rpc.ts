import type { AgentSession } from "../../session/index.ts";
import type { Redact, RpcCommand } from "../../wire/index.ts";
import { splitLines } from "../../wire/split-lines.ts";
import { carryOut } from "./carry-out.ts";
import { type LineOutput, LineWriter } from "./line-writer.ts";
import { parseCommand } from "./parse-command.ts";

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

/** Serves a session until the input ends. Prompts that were acknowledged by then are still answered. */
export async function serveRpc({ session, redact, input, output }: RpcService): Promise<void> {
  const writer = new LineWriter(output, redact);
  const leave = session.subscribe((event) => writer.write(event));
  for await (const lines of splitLines(input, MOST_LINE_CHARS)) {
    for (const { text, isTooLong } of lines) {
      if (text.trim() === "") continue;
      const parsed = isTooLong ? parseCommand("(a line that is too long)") : parseCommand(text);
      if (parsed.ok) answer(session, parsed.command, writer);
      else writer.write(parsed.response);
    }
    // Whoever does not read what we say gets no more to say.
    await writer.ready();
  }
  await session.whenIdle();
  leave();
  await writer.ready();
}

/** Not waited for: a command that takes its time must not keep the next one, perhaps an abort, from being heard. */
function answer(session: AgentSession, { id, ...command }: RpcCommand, writer: LineWriter): void {
  const head = { ...(id !== undefined && { id }), type: "response" as const, command: command.type };
  carryOut(session, command).then(
    (data) => writer.write({ ...head, success: true, ...(data !== undefined && { data }) }),
    (fault) => writer.write({ ...head, success: false, error: fault instanceof Error ? fault.message : String(fault) }),
  );
}
