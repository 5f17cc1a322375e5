/** What `--help` says beyond names and meanings. */
import { type Command, Help, type Option } from 'commander';
import { EXAMPLES } from './examples.js';

const STANDARD = new Help();

/** The meaning of an option, its default where there is something to tell, and whether it can be left out. */
export function optionText(option: Option): string {
  const { defaultValue: value } = option;
  const isNothing = value === false || (Array.isArray(value) && value.length === 0);
  const text = isNothing ? option.description : STANDARD.optionDescription(option);
  return option.mandatory ? `${text} (required)` : text;
}

/** Puts the examples of each command behind its help. */
export function addExamples(command: Command, path: readonly string[] = []): void {
  const lines = EXAMPLES[path.join(' ')] ?? [];
  if (lines.length > 0)
    command.addHelpText('after', ['', 'Examples:', ...lines.map((line) => `  ${line}`)].join('\n'));
  for (const one of command.commands) addExamples(one, [...path, one.name()]);
}
