import { describe, expect, it } from 'vitest';
import { SettingsError, SettingsSource } from '../../../src/settings/index.js';

function told(text: string): string {
  try {
    SettingsSource.parse(text, 'f', {});
  } catch (error) {
    if (error instanceof SettingsError) return error.message;
    throw error;
  }
  return '';
}

const COLUMN = 'bad indentation: expected this line in the same column as the others of its section';
const TOO_FAR =
  'bad indentation: this line is indented further than the one above, which has a value already; expected both in the same column';
const IN_LINES = ' in its line, or in lines below that are indented further';
const NO_COMMA = 'expected one value, then a comma or the bracket that closes';
const NO_VALUE = 'expected a key, a colon and a space behind it, as in key: value';

describe('a file that is no YAML', () => {
  it.each([
    ['a:\n  b: 1\n c: 2\n', `f:3:2 ${COLUMN}`],
    ['a:\n  - 1\n - 2\n', `f:3:2 ${COLUMN}`],
    ['a: 1\n b: 2\n', `f:2:2 ${TOO_FAR}`],
    ['- a: b\n\n  # more\n    c: 1\n', `f:4:5 ${COLUMN}`],
    ['a: b: c\n', 'f:1:4 a second key in one line: expected it in a line of its own, or a text in quotes'],
    ['a:1\nb: 2\n', `f:1:1 ${NO_VALUE}`],
    ['a: 1\nb\nc: 3\n', `f:2:1 ${NO_VALUE}`],
    ['a:\n\tb: 1\n', 'f:2:1 this line is indented with a tab; expected spaces'],
    ['a: "x\nb: 2\n', `f:1:4 this " is never closed: expected "${IN_LINES}`],
    ["a: 'x\nb: 2\n", `f:1:4 this ' is never closed: expected '${IN_LINES}`],
    ['a: [1, 2\nb: 3\n', `f:1:4 this [ is never closed: expected ]${IN_LINES}`],
    ['c: 1\na: [{x: 1, y: [2, 3}]\nb: 1\n', 'f:2:15 this [ is never closed: expected ]'],
    ['{ a: 1\n', `f:1:1 this { is never closed: expected }${IN_LINES}`],
    ['a:\n  b: {\n    c: 1\n}\n', 'f:4:1 bad indentation: expected spaces before the } that closes'],
    ['a:\n  b: 1\n  b: 2\n', 'f:3:3 the key b appears here a second time'],
    ['a:\n  - b: 1\n    c:\n    "c":\n      - 1\n', 'f:4:5 the key c appears here a second time'],
    ['a: 1\n---\nb: 2\n', 'f:2:1 expected one document, found another behind this line (---)'],
    ['a:\n  - b: 1\n  c: 2\n', `f:3:3 ${COLUMN}`],
    [' a: 1\nb: 2\n', `f:2:1 ${COLUMN}`],
    ['a:{ b: 1, c: 2 }\n', 'f:1:2 expected a colon and a space behind the key a'],
    ['a { b: 1, c: 2 }\n', 'f:1:1 expected a colon and a space behind the key a'],
    ['a: { b: 1 c: 2 }\n', `f:1:9 ${NO_COMMA}`],
    ['a: {\n    b: 1\n    c: 2,\n  }\n', `f:2:8 ${NO_COMMA}`],
    ["a: { b: '1' c: 2 }\n", 'f:1:13 expected a comma before this'],
    ['a: [1]]\n', 'f:1:7 this ] closes nothing'],
    ["a: 'it's'\n", 'f:1:8 expected nothing more behind this value'],
    ['a: {\n    b: 1,\n\tc: 2 }\n', 'f:3:1 this line is indented with a tab; expected spaces'],
    ['a: @x\n', 'f:1:4 Plain value cannot start with reserved character @'],
  ])('%j: the first thing wrong', (text, expected) => {
    expect(told(text).split('\n')[0]).toBe(expected);
  });

  it('shows the line, and where', () => {
    expect(told('a:\n  b: 1\n c: 2 # why\n').split('\n').slice(1)).toEqual(['  3 |  c: 2 # why', '    |  ^']);
    expect(told('a:\n\tb: "1"\n').split('\n').slice(1)).toEqual(['  2 |  b: "1"', '    | ^']);
    const [, line, mark] = told(`a: { x: '${'x'.repeat(200)}', b: [ ${'1, '.repeat(40)}}\n`).split('\n');
    expect(line!.charAt(mark!.indexOf('^'))).toBe('[');
    expect(line!.length).toBeLessThan(110);
  });

  it('does not show what may be a secret', () => {
    expect(told('privateKey: "hunter2\n')).toBe(`f:1:13 this " is never closed: expected "${IN_LINES}`);
  });
});
