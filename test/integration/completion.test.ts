/** Completion scripts in the shells that are installed. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { completionOf, type Shell } from '../../src/cli/completion.js';
import { buildProgram } from '../../src/cli/program.js';
import { scratchFolder } from '../support/disk/scratch-folder.js';

const has = (shell: Shell): boolean => spawnSync(shell, ['--version']).status === 0;

/** What each shell is told to do with a script and with the words of a line, the last one unfinished. */
const ASKED: Readonly<Record<Shell, (script: string, words: readonly string[]) => readonly string[]>> = {
  bash: (script, words) => [
    '--norc',
    '-c',
    `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _oddsmith; printf '%s\\n' "\${COMPREPLY[@]}"`,
    'bash',
    script,
    ...words,
  ],
  zsh: (script, words) => [
    '-f',
    '-c',
    // As much of zsh's own functions as shows what they are given.
    `compdef() { : }; _files() { : }; _describe() { local one; for one in "\${(@P)2}"; do print -r -- "\${one%%:*}"; done }
     source "$1"; shift; words=("$@"); CURRENT=$#; _oddsmith`,
    'zsh',
    script,
    ...words,
  ],
  fish: (script, words) => ['--no-config', '-c', `source ${script}; complete -C '${words.join(' ')}'`],
};

function completed(shell: Shell, ...words: readonly string[]): readonly string[] {
  const script = join(scratchFolder(), `oddsmith.${shell}`);
  writeFileSync(
    script,
    completionOf(
      buildProgram(() => undefined),
      shell,
    ),
  );
  const { stdout, stderr, status } = spawnSync(shell, ASKED[shell](script, ['oddsmith', ...words]), {
    encoding: 'utf8',
  });
  expect(`${stderr} ${status}`).toBe(' 0');
  const last = words.at(-1) ?? '';
  const found = stdout.split('\n').map((line) => line.split('\t')[0]!);
  return found.filter((word) => word !== '' && word.startsWith(last)).toSorted();
}

describe.each<Shell>(['bash', 'zsh', 'fish'])('%s (skipped where it is not installed)', (shell) => {
  it.skipIf(!has(shell))('completes commands, commands of commands, and options', () => {
    expect(completed(shell, 'ba')).toEqual(['backtest']);
    expect(completed(shell, 'tape', 'inf')).toEqual(['info']);
    expect(completed(shell, 'tape', 'info', '--j')).toEqual(['--json']);
    expect(completed(shell, 'backtest', 'file.yaml', '--th')).toEqual(['--threads']);
    expect(completed(shell, 'state', '')).toEqual(expect.arrayContaining(['reset', 'show']));
    expect(completed(shell, 'run', 'no-such-thing')).toEqual([]);
  });
});

it('at least one shell was asked', () => {
  expect(has('bash')).toBe(true);
});
