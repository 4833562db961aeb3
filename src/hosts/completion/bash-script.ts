import { allCommands, type DescribedCommand } from "./describe-program.ts";

/** Completion for bash: the words after the program lead to a command, whose commands, values and options are offered. */
export function bashScript(program: DescribedCommand): string {
  const cases = allCommands(program).map(({ path, children, values, options }) => {
    const words = [...children.map((child) => child.path.at(-1)), ...values, ...options.flatMap(({ flags }) => flags)];
    return `    '${path.join(" ")}') words='${words.join(" ")}' ;;`;
  });
  const paths = allCommands(program).map(({ path }) => `'${path.join(" ")}'`);
  return `# bash completion for secondwind. Add to ~/.bashrc:  eval "$(secondwind completion bash)"
_secondwind() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path='' word words=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${path:+$path }$word" in
      ${paths.slice(1).join("|")}) path="\${path:+$path }$word" ;;
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
