import type { ListedCommand } from "./list-commands.ts";

/** Completion for bash: follows the typed words to a command and offers its entries. */
export function bashScript(commands: readonly ListedCommand[]): string {
  const cases = commands.map(
    ({ path, entries }) => `    '${path.join(" ")}') words='${entries.flatMap(({ words }) => words).join(" ")}' ;;`,
  );
  const paths = commands.slice(1).map(({ path }) => `'${path.join(" ")}'`);
  return `# bash completion for secondwind. Add to ~/.bashrc:  eval "$(secondwind completion bash)"
_secondwind() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path='' word words=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${path:+$path }$word" in
      ${paths.join("|")}) path="\${path:+$path }$word" ;;
    esac
  done
  case "$path" in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _secondwind secondwind
`;
}
