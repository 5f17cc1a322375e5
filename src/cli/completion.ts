/** Completion scripts of shells, written from the commands of the program. */
import type { Command } from 'commander';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** What can follow a command. */
interface Place {
  /** Words of the command, such as `tape info`; empty: the program. */
  readonly path: string;
  readonly commands: readonly Choice[];
  readonly options: readonly Choice[];
}

interface Choice {
  readonly word: string;
  readonly meaning: string;
}

/** @returns text for the shell to read. @param program with all of its commands */
export function completionOf(program: Command, shell: Shell): string {
  const places = placesOf(program);
  const text = { bash: bashScript, zsh: zshScript, fish: fishScript }[shell](places);
  return `# Completion of oddsmith for ${shell}, written by: oddsmith completion ${shell}\n${text}`;
}

function placesOf(command: Command, path: readonly string[] = []): readonly Place[] {
  const choice = (word: string, meaning: string): Choice => ({ word, meaning: oneLine(meaning) });
  const commands = command.commands.map((one) => choice(one.name(), one.description()));
  const options = [
    ...command.options.flatMap(({ long, description }) =>
      typeof long === 'string' ? [choice(long, description)] : [],
    ),
    choice('--help', 'options and examples'),
  ];
  const below = command.commands.flatMap((one) => placesOf(one, [...path, one.name()]));
  return [{ path: path.join(' '), commands, options }, ...below];
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

/** For scripts: nothing in it is special between single quotes. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const wordsOf = (choices: readonly Choice[]): string => choices.map(({ word }) => word).join(' ');

/** Patterns of `place:word` that lead to another place. */
const stepsOf = (places: readonly Place[]): string =>
  places.flatMap(({ path, commands }) => commands.map(({ word }) => quoted(`${path}:${word}`))).join(' | ');

/** Files are completed by the shell where no word fits. */
const bashScript = (places: readonly Place[]): string => `_oddsmith() {
  local current=\${COMP_WORDS[COMP_CWORD]} place='' commands='' options='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$place:$word" in
      ${stepsOf(places)}) place="\${place:+$place }$word" ;;
    esac
  done
  case $place in
${places.map(({ path, commands, options }) => `    ${quoted(path)}) commands=${quoted(wordsOf(commands))} options=${quoted(wordsOf(options))} ;;`).join('\n')}
  esac
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
  else
    COMPREPLY=($(compgen -W "$commands" -- "$current"))
  fi
}
complete -o default -F _oddsmith oddsmith
`;

const described = (choices: readonly Choice[]): string =>
  choices.map(({ word, meaning }) => quoted(`${word}:${meaning.replaceAll(':', String.raw`\:`)}`)).join(' ');

const zshScript = (places: readonly Place[]): string => `_oddsmith() {
  local place='' word
  local -a commands options
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$place:$word" in
      ${stepsOf(places)}) place="\${place:+$place }$word" ;;
    esac
  done
  case $place in
${places.map(({ path, commands, options }) => `    ${quoted(path)}) commands=(${described(commands)}) options=(${described(options)}) ;;`).join('\n')}
  esac
  if [[ \${words[CURRENT]} == -* ]]; then
    _describe 'option' options
    return
  fi
  (( \${#commands} )) && _describe 'command' commands
  _files
}
compdef _oddsmith oddsmith
`;

const fishScript = (places: readonly Place[]): string => `function __oddsmith_place
  set -l place ''
  for word in (commandline -opc)[2..]
    switch "$place:$word"
      case ${places.flatMap(({ path, commands }) => commands.map(({ word }) => quoted(`${path}:${word}`))).join(' ')}
        set place (string trim "$place $word")
    end
  end
  test "$place" = "$argv[1]"
end
${places
  .flatMap(({ path, commands, options }) => {
    const at = `complete -c oddsmith -n ${quoted(`__oddsmith_place ${path === '' ? '""' : `"${path}"`}`)}`;
    return [
      ...commands.map(({ word, meaning }) => `${at} -a ${word} -d ${fishQuoted(meaning)}`),
      ...options.map(({ word, meaning }) => `${at} -l ${word.slice(2)} -d ${fishQuoted(meaning)}`),
    ];
  })
  .join('\n')}
`;

function fishQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`;
}
