import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command, Option } from 'commander';
import { describe, expect, it, vi } from 'vitest';
import { EXAMPLES, withHint } from '../../../src/cli/help.js';
import { buildProgram } from '../../../src/cli/program.js';
import { ROOT } from '../../support/project/small-house.js';

// Runs of examples are nowhere.
vi.mock('../../../src/cli/named-run.js', () => ({ namedRun: (text: string) => text }));

/** Every command that does something, by its path. */
function commandsOf(command: Command, path: readonly string[] = []): ReadonlyMap<string, Command> {
  const below = command.commands.flatMap((one) => [...commandsOf(one, [...path, one.name()])]);
  const isGroup =
    path.length === 0 ||
    ['alert', 'canary', 'tape', 'config', 'new', 'recording', 'runs', 'state', 'validate'].includes(
      path.join(' '),
    );
  return new Map(isGroup ? below : [[path.join(' '), command], ...below]);
}

const commands = commandsOf(buildProgram(() => undefined));

/** What a person reads, examples included. */
function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (part) => void (text += part) });
  command.outputHelp();
  return text;
}

/** The words of a line of a shell: behind variables, before what becomes of its output. */
function wordsOf(line: string): readonly string[] {
  const [typed = ''] = line.split(' > ');
  const words = (typed.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replaceAll("'", ''));
  return words.slice(words.findIndex((word) => !/^[A-Z_]+=/.test(word)));
}

/** The path of the command that a line would have run. @throws CommanderError where it is refused */
async function commandOf(line: string): Promise<string> {
  const program = buildProgram(() => undefined);
  let ran = '';
  for (const [path, command] of commandsOf(program))
    command
      .exitOverride()
      .configureOutput({ writeErr: () => undefined })
      .action(() => void (ran = path));
  const [name, ...words] = wordsOf(line);
  expect(name).toBe('oddsmith');
  await program.parseAsync(words, { from: 'user' });
  return ran;
}

/** The default as the help shows it. */
const shownDefault = (command: Command, { long }: Option): string | undefined => {
  const told = helpOf(command).replaceAll(/\n {10,}/g, ' ');
  return new RegExp(`${long} [^\\n]*\\(.*?default: "?([^)",]*)"?\\)`).exec(told)?.[1];
};

describe('the help of every command', () => {
  it.each([...commands])('%s shows examples that work', async (path, command) => {
    const lines = EXAMPLES[path] ?? [];
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) {
      expect(helpOf(command)).toContain(`\n  ${line}\n`);
      expect(await commandOf(line), line).toBe(path);
      for (const [file] of line.matchAll(/config\/[\w./-]+/g))
        expect(existsSync(join(ROOT, file)), file).toBe(true);
    }
  });

  it('has no examples of others', () => {
    expect(Object.keys(EXAMPLES).filter((path) => !commands.has(path))).toEqual([]);
  });

  it('sees an example that does not work', async () => {
    await expect(commandOf('oddsmith kill config/local.yaml --for 120000')).rejects.toThrow(
      /duration such as 20s/,
    );
    await expect(commandOf('oddsmith tape export nowhere')).rejects.toThrow(/--out/);
  });

  it.each([...commands])(
    '%s shows defaults as they can be typed, and none that tell nothing',
    (_path, command) => {
      expect(helpOf(command)).not.toMatch(/\(default: (?:false|\[\])\)/);
      for (const option of command.options) {
        const { defaultValue, parseArg } = option;
        if (defaultValue === undefined || defaultValue === false || Array.isArray(defaultValue)) continue;
        const shown = shownDefault(command, option)!;
        expect(parseArg === undefined ? shown : parseArg(shown, undefined), option.long).toEqual(
          defaultValue,
        );
      }
    },
  );

  it.each([...commands])('%s says which options cannot be left out', (_path, command) => {
    const told = helpOf(command).match(/\(required\)/g) ?? [];
    expect(told).toHaveLength(command.options.filter(({ mandatory }) => mandatory).length);
  });
});

describe('an unknown command', () => {
  it.each([
    ['start', /oddsmith run/],
    ['stop', /oddsmith kill/],
    ['constructor', /oddsmith --help/],
  ])('%s comes with what to do instead', (name, hint) => {
    const text = `error: unknown command '${name}'\n`;
    expect(withHint(text)).toMatch(hint);
    expect(withHint(text).startsWith(text)).toBe(true);
  });

  it('is not seen in another error', () => {
    expect(withHint('error: missing argument\n')).toBe('error: missing argument\n');
  });
});
