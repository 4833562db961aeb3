import { allCommands, type DescribedCommand } from "./describe-program.ts";

/** Completion for zsh: the same walk, with what each word is for. */
export function zshScript(program: DescribedCommand): string {
  const cases = allCommands(program).map(({ path, children, values, options }) => {
    const words = [
      ...children.map((child) => entry(child.path.at(-1) ?? "", child.summary)),
      ...values.map((value) => entry(value)),
      ...options.flatMap(({ flags, description }) => flags.map((flag) => entry(flag, description))),
    ];
    return `    '${path.join(" ")}') entries=(${words.join(" ")}) ;;`;
  });
  const paths = allCommands(program).map(({ path }) => `'${path.join(" ")}'`);
  // As a file of $fpath it is itself the body of the function, and is run by the first Tab.
  return `#compdef secondwind
# zsh completion for secondwind. Put it into a folder of $fpath as _secondwind, or:  eval "$(secondwind completion zsh)"
_secondwind() {
  local at='' word
  local -a entries
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "\${at:+$at }$word" in
      ${paths.slice(1).join("|")}) at="\${at:+$at }$word" ;;
    esac
  done
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

/** `word:description`, in single quotes. */
function entry(word: string, description?: string): string {
  const name = word.replaceAll(":", "\\:");
  const text = description === undefined ? name : `${name}:${description}`;
  return `'${text.replaceAll("'", "'\\''")}'`;
}
