/** What can be typed after a slash: name, what follows it, what it does. */
export const COMMANDS = [
  ["help", "", "this page"],
  ["info", "", "the conversation, tokens, and how retries fared"],
  ["model", "[provider/model]", "the models there are, or another one from here on"],
  ["retry", "[now|on|off]", "says the last message again; ends a wait; switches automatic retries"],
  ["keys", "", "the keys of providers, masked"],
  ["config", "[key] [value]", "the settings, one of them, or a new value (- for the default)"],
  ["sessions", "[number|id|new]", "earlier conversations, or goes to one"],
  ["export", "[file]", "writes the conversation as Markdown"],
  ["quit", "", "leaves; everything is kept"],
] as const;

export type CommandName = (typeof COMMANDS)[number][0];

export interface ParsedCommand {
  readonly name: CommandName | undefined;
  readonly words: readonly string[];
}

/** `/config retry.maxRetries 5` → config, with its words. A name that nobody knows is none. */
export function parseCommand(text: string): ParsedCommand {
  const [first = "", ...words] = text.slice(1).trim().split(/\s+/);
  return { name: COMMANDS.find(([known]) => known === first.toLowerCase())?.[0], words };
}

export const HELP_PAGE = [
  "## Commands",
  "",
  ...COMMANDS.map(([name, follows, does]) => `- \`/${name}${follows === "" ? "" : ` ${follows}`}\` ${does}`),
  "",
  "## Keys",
  "",
  "- `Enter` sends. While a retry is waited for and nothing is typed, it retries now",
  "- `Alt+Enter`, `Shift+Enter` or `\\` at the end of a line: a new line",
  "- `Esc` cancels a retry while its countdown shows; otherwise stops the answer; otherwise clears the input",
  "- `Up`, `Down`: through what was sent before",
  "- `PgUp`, `PgDn`: through the conversation",
  "- `Ctrl-O` opens and folds tool calls and thoughts",
  "- `Ctrl-L` paints the screen anew",
  "- `Ctrl-C` twice, or `Ctrl-D`: leaves",
  "",
  "What you send while the agent is at work is heard after its current step.",
].join("\n");
