import type { Command } from "./command.ts";

const KEYS = [
  "## Keys",
  "",
  "- `Enter` sends; during a countdown, with an empty input, it retries now",
  "- `Alt+Enter` or `Shift+Enter` starts a new line; so does `\\` before Enter",
  "- `Tab` completes commands, their arguments, and `@` with a file name",
  "- `Esc` cancels a retry while its countdown shows; otherwise stops the answer; otherwise clears the input",
  "- `Up`, `Down` browse earlier messages",
  "- `PgUp`, `PgDn` and the mouse wheel scroll the conversation",
  "- `Ctrl-O` expands or collapses tool calls, reasoning and error messages",
  "- `Ctrl-L` redraws the screen",
  "- `Ctrl-Z` suspends; `fg` continues",
  "- `Ctrl-C` twice, or `Ctrl-D`, quits",
  "",
  "To select text, click once and then drag, or hold Shift (Option in iTerm2) while you drag. `/mouse off` leaves the mouse to the terminal.",
  "",
  "The agent reads messages that you send while it works after its current step.",
];

export function helpPage(commands: readonly Command[]): string {
  const list = commands.map(
    ({ name, parameters, description }) => `- \`/${name}${parameters === "" ? "" : ` ${parameters}`}\` ${description}`,
  );
  return ["## Commands", "", ...list, "", ...KEYS].join("\n");
}
