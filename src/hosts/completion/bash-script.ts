import type { ListedCommand } from "./list-commands.ts";
import type { Values } from "./values.ts";

/** Completion for bash: follows the typed words to a command and offers its entries, or the values of the option before. */
export function bashScript(commands: readonly ListedCommand[]): string {
  const cases = commands.map(({ path, entries, values }) => {
    const words = entries.flatMap((entry) => entry.words).join(" ");
    return `    '${path.join(" ")}') words='${words}'${values === undefined ? "" : ` more="${wordsOf(values)}"`} ;;`;
  });
  const options = commands.flatMap(({ path, entries }) =>
    entries.flatMap(({ words, values }) => {
      if (values === undefined) return [];
      const flags = words.map((word) => `'${[...path, word].join(" ")}'`).join("|");
      return [`    ${flags}) words="${wordsOf(values)}"; _secondwind_offer; return ;;`];
    }),
  );
  const paths = commands.slice(1).map(({ path }) => `'${path.join(" ")}'`);
  return `# bash completion for secondwind. Add to ~/.bashrc:  eval "$(secondwind completion bash)"
_secondwind_look_up() {
  "\${COMP_WORDS[0]}" complete "$1" 2>/dev/null </dev/null | cut -f1
}
_secondwind_offer() {
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
_secondwind() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" path='' word words='' more=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${path:+$path }$word" in
      ${paths.join("|")}) path="\${path:+$path }$word" ;;
    esac
  done
  case "\${path:+$path }$before" in
${options.join("\n")}
  esac
  case "$path" in
${cases.join("\n")}
  esac
  words="$words $more"
  _secondwind_offer
}
complete -o default -F _secondwind secondwind
`;
}

/** Looked up only if the option is there. Where nothing fits, bash offers files by itself. */
function wordsOf({ words = [], lookUp }: Values): string {
  return [...words, ...(lookUp === undefined ? [] : [`$(_secondwind_look_up ${lookUp})`])].join(" ");
}
