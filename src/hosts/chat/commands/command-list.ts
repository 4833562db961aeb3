/** Slash commands: name, arguments, description. */
export const COMMANDS = [
  ["help", "", "show this page"],
  ["info", "", "show the conversation, tokens and retry statistics"],
  ["model", "[provider/model]", "list the models, or switch to one"],
  ["retry", "[now|on|off]", "send the last message again; end a wait; turn automatic retries on or off"],
  ["keys", "", "list the API keys, masked"],
  ["config", "[key] [value]", "show the settings or one of them, or set it (- resets to the default)"],
  ["sessions", "[number|id|new]", "list conversations, or open one"],
  ["export", "[file]", "write the conversation to a Markdown file"],
  ["quit", "", "quit; the conversation is saved"],
] as const;

export type CommandName = (typeof COMMANDS)[number][0];

export const HELP_PAGE = [
  "## Commands",
  "",
  ...COMMANDS.map(([name, follows, does]) => `- \`/${name}${follows === "" ? "" : ` ${follows}`}\` ${does}`),
  "",
  "## Keys",
  "",
  "- `Enter` sends; during a countdown, with an empty input, it retries now",
  "- `Alt+Enter` or `Shift+Enter` starts a new line; so does `\\` before Enter",
  "- `Esc` cancels a retry while its countdown shows; otherwise stops the answer; otherwise clears the input",
  "- `Up`, `Down` browse earlier messages",
  "- `PgUp`, `PgDn` scroll the conversation",
  "- `Ctrl-O` expands or collapses tool calls, reasoning and error messages",
  "- `Ctrl-L` redraws the screen",
  "- `Ctrl-C` twice, or `Ctrl-D`, quits",
  "",
  "The agent reads messages that you send while it works after its current step.",
].join("\n");
