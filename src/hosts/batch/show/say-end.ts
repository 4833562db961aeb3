import { cleanText, sayDuration, sayFailure, sayMessage } from "../../../terminal/index.ts";
import type { Stop } from "../run/run-lines.ts";
import { plain } from "./progress-lines.ts";

interface Ended {
  readonly lines: number;
  readonly done: number;
  readonly failed: number;
  readonly tokens: number;
  readonly tookMs: number;
  readonly output: string;
  readonly isCancelled: boolean;
  readonly stop: Stop | undefined;
}

/** The last line of a run. */
export function sayEnd(ended: Ended): string {
  const { lines, done, failed, tokens, tookMs, output, isCancelled, stop } = ended;
  const counts = `${plain(done)} of ${plain(lines)} ${lines === 1 ? "line" : "lines"} answered, ${plain(failed)} failed`;
  const resume = "Run the same command again to resume.";
  if (isCancelled) return `Cancelled: ${counts}. ${resume}`;
  switch (stop?.type) {
    case "refused": {
      const reason = `${sayFailure(stop.failure)}: ${sayMessage(stop.failure.message)}`;
      return `Stopped: ${counts}. ${cleanText(reason)}`;
    }
    case "tokens":
      return `Stopped at --max-cost-tokens: ${counts}, ${plain(tokens)} tokens used. Raise it and run the same command again.`;
    case "fault":
      return `Stopped: ${counts}. ${cleanText(faultOf(stop.fault, output))} ${resume}`;
    case undefined: {
      const retry = failed === 0 ? "" : " --retry-failed asks failed lines again.";
      return `Done: ${counts}, in ${sayDuration(tookMs)}; ${plain(tokens)} tokens.${retry}`;
    }
    default:
      return stop satisfies never;
  }
}

function faultOf(fault: unknown, output: string): string {
  const { code, message } = fault as NodeJS.ErrnoException;
  if (code === "ENOSPC") return `No space left for ${output}.`;
  return `${message ?? String(fault)}.`;
}
