import type { Entry, ListedCommand } from "./list-commands.ts";
import type { Values } from "./values.ts";

/** Completion for zsh: as for bash, with descriptions. */
export function zshScript(commands: readonly ListedCommand[]): string {
  const cases = commands.map(({ path, entries, values }) => {
    const more = values === undefined ? "" : ` ${offer(values)}`;
    return `    '${path.join(" ")}') entries=(${entries.flatMap(describe).join(" ")})${more} ;;`;
  });
  const options = commands.flatMap(({ path, entries }) =>
    entries.flatMap(({ words, values }) => {
      if (values === undefined) return [];
      const flags = words.map((word) => `'${[...path, word].join(" ")}'`).join("|");
      return [`    ${flags}) ${offer(values)}${values.orFile === true ? "; _files" : ""}; return ;;`];
    }),
  );
  const paths = commands.slice(1).map(({ path }) => `'${path.join(" ")}'`);
  // In a file of $fpath the script is the body of the function, which runs at the first Tab.
  return `#compdef secondwind
# zsh completion for secondwind. Save it as _secondwind in a folder of $fpath, or:  eval "$(secondwind completion zsh)"
_secondwind_look_up() {
  local -a found
  found=(\${(f)"$(\${words[1]} complete $1 2>/dev/null </dev/null)"})
  compadd -- "\${(@)found%%$'\\t'*}"
}
_secondwind() {
  local at='' word
  local -a entries
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "\${at:+$at }$word" in
      ${paths.join("|")}) at="\${at:+$at }$word" ;;
    esac
  done
  case "\${at:+$at }\${words[CURRENT-1]}" in
${options.join("\n")}
  esac
  case "$at" in
${cases.join("\n")}
  esac
  _describe 'secondwind' entries || _files
}
if [[ "\${funcstack[1]}" == _secondwind ]]; then
  _secondwind "$@"
else
  compdef _secondwind secondwind
fi
`;
}

function offer({ words, lookUp }: Values): string {
  const commands = [
    ...(words === undefined ? [] : [`compadd -- ${words.join(" ")}`]),
    ...(lookUp === undefined ? [] : [`_secondwind_look_up ${lookUp}`]),
  ];
  return commands.join("; ");
}

/** `word:description`, in single quotes. */
function describe({ words, description }: Entry): readonly string[] {
  return words.map((word) => {
    const name = word.replaceAll(":", "\\:");
    return `'${(description === "" ? name : `${name}:${description}`).replaceAll("'", "'\\''")}'`;
  });
}
