import type { Terminal } from "../../../terminal/index.ts";
import type { RunningServer } from "../build-server.ts";
import { introduce } from "./introduce.ts";
import type { ParsedOptions } from "./parse-options.ts";

/** What the server says of itself, as text or as lines of JSON. */
export interface Announcer {
  started(server: RunningServer): void;
  /** After the first signal. */
  stopping(turns: number): void;
}

export function announcer(options: ParsedOptions, { write, colours }: Terminal): Announcer {
  if (options.log === "json") {
    const say = (line: object): void => write(`${JSON.stringify(line)}\n`);
    return {
      started: ({ url, model, isSimulated, isPersistent, needsKey, bodyFolder }) =>
        say({ event: "started", url, model, isSimulated, isPersistent, needsKey, bodyFolder }),
      stopping: (turns) => say({ event: "stopping", turns, drainMs: options.drainMs }),
    };
  }
  return {
    started: (server) => {
      for (const line of introduce(server, options, colours)) write(`${line}\n`);
    },
    stopping: (turns) => {
      if (turns === 0) return;
      const what = turns === 1 ? "a turn that is running" : `${turns} turns that are running`;
      write(`Stopping. Waiting up to ${options.drainMs / 1000} s for ${what}. Press Ctrl-C again to stop now.\n`);
    },
  };
}
