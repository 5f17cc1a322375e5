/** Explains invalid YAML: the first problem, with its line and a mark below the column. */
import { type Document, isCollection, isScalar, visit, type YAMLError } from 'yaml';
import type { Problem } from './problems.js';

/** A problem and its place. */
interface Finding {
  readonly offset: number;
  readonly words: string;
}

/** A document that cannot be read, with its text. */
interface Unreadable {
  readonly document: Document;
  readonly text: string;
}

/** @returns the first problem, because it causes most of the others; null for a readable document */
export function yamlProblem(unreadable: Unreadable): Problem | null {
  const [first] = unreadable.document.errors;
  if (first === undefined) return null;
  const find = FINDINGS[first.code];
  const { offset, words } = find?.(first, unreadable) ?? { offset: first.pos[0], words: first.message };
  const { line, column } = placeOf(unreadable.text, offset);
  return { line, column, path: '', message: `${words}${excerpt(unreadable.text, line, column)}` };
}

type Find = (error: YAMLError, unreadable: Unreadable) => Finding | null;

/** Explanations by the error code of the library. Without one, its own message is shown. */
const FINDINGS: Readonly<Partial<Record<YAMLError['code'], Find>>> = {
  BAD_INDENT: (error, unreadable) => unclosed(error, unreadable) ?? outOfColumn(error, unreadable),
  BLOCK_AS_IMPLICIT_KEY: nestedKey,
  BLOCK_IN_FLOW: (error) => at(error, NO_COMMA),
  DUPLICATE_KEY: secondKey,
  MISSING_CHAR: missing,
  MULTILINE_IMPLICIT_KEY: (error, { document }) =>
    at(error, document.errors.some(({ code }) => code === 'BLOCK_IN_FLOW') ? NO_COMMA : NO_VALUE),
  MULTIPLE_DOCS: (error) => at(error, 'expected one document, found another behind this line (---)'),
  TAB_AS_INDENT: (error) => at(error, TAB),
  UNEXPECTED_TOKEN: unexpected,
};

const NO_COMMA = 'expected one value, then a comma or the bracket that closes';
const NO_VALUE = 'expected a key, a colon and a space behind it, as in key: value';
const TAB = 'this line is indented with a tab; expected spaces';

const at = ({ pos }: YAMLError, words: string): Finding => ({ offset: pos[0], words });

function missing(error: YAMLError, unreadable: Unreadable): Finding | null {
  const { message } = error;
  if (message.startsWith('Sequence item')) return outOfColumn(error, unreadable);
  if (message.startsWith('Implicit map keys')) return at(error, NO_VALUE);
  if (message.startsWith('Missing ,')) return at(error, 'expected a comma before this');
  return unclosed(error, unreadable);
}

function unexpected(error: YAMLError, unreadable: Unreadable): Finding | null {
  const { message, pos } = error;
  const char = unreadable.text.charAt(pos[0]);
  if (/^Unexpected flow-\w+-end/.test(message)) return at(error, `this ${char} closes nothing`);
  if (message.startsWith('Unexpected scalar token')) return at(error, 'expected a comma before this');
  if (!message.endsWith('at node end')) return null;
  const isFirst = placeOf(unreadable.text, pos[0]).column === 1;
  return isFirst ? outOfColumn(error, unreadable) : at(error, 'expected nothing more behind this value');
}

/** The first duplicate key of a section. The library may point behind it. */
function secondKey(_error: YAMLError, { document }: Unreadable): Finding | null {
  let found: Finding | null = null;
  visit(document, {
    Map(_key, { items }) {
      const names = items.map(({ key }) => (isScalar(key) ? String(key.value) : null));
      const second = names.findIndex((name, place) => name !== null && names.indexOf(name) < place);
      const key = items[second]?.key;
      if (!isScalar(key) || key.range === null || key.range === undefined) return undefined;
      found = { offset: key.range[0], words: `the key ${names[second]} appears here a second time` };
      return visit.BREAK;
    },
  });
  return found;
}

/** A key in the place of a value: below it with too much indentation, or behind it in the same line. */
function nestedKey(error: YAMLError, { document, text }: Unreadable): Finding | null {
  const [offset] = error.pos;
  if (!error.message.startsWith('Nested mappings')) return outOfColumn(error, { text });
  const isBelow = document.errors.some(
    ({ code, pos }) => code === 'MULTILINE_IMPLICIT_KEY' && pos[0] === offset,
  );
  if (!isBelow)
    return (
      unspaced(text, offset) ??
      at(error, 'a second key in one line: expected it in a line of its own, or a text in quotes')
    );
  const below = text.indexOf('\n', offset);
  return below < 0 ? null : { offset: behindBlank(text, below), words: TOO_FAR };
}

/** The first key of a line without a colon, or without a space behind it. */
function unspaced(text: string, offset: number): Finding | null {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const key = /^ *(?:- )*([\w.-]+)(?::(?=\S)|(?= ?[[{]))/.exec(text.slice(start));
  if (key === null) return null;
  return {
    offset: start + key[0].length - 1,
    words: `expected a colon and a space behind the key ${key[1]!}`,
  };
}

const outOfColumn = ({ pos: [offset] }: YAMLError, { text }: Pick<Unreadable, 'text'>): Finding => ({
  offset: behindBlank(text, offset),
  words: 'bad indentation: expected this line in the same column as the others of its section',
});

/** Skips spaces, empty lines and comments. */
function behindBlank(text: string, offset: number): number {
  const blank = /(?:\s|#.*)*/y;
  blank.lastIndex = offset;
  return offset + (blank.exec(text)?.[0].length ?? 0);
}

const TOO_FAR =
  'bad indentation: this line is indented further than the one above, which has a value already; expected both in the same column';

/** Reports an unclosed quote or bracket where it opens. */
function unclosed({ message, pos: [end] }: YAMLError, { document, text }: Unreadable): Finding | null {
  if (!/end with a|closing/.test(message)) return null;
  let offset: number | null = null;
  visit(document, {
    Node(_key, node) {
      const opens = isCollection(node) ? node.flow === true : isScalar(node) && isQuoted(node.type);
      if (opens && node.range?.[1] === end) offset = node.range[0];
    },
  });
  if (offset === null) return null;
  const start = text.lastIndexOf('\n', behindBlank(text, end) - 1) + 1;
  const indentation = /^\s*/.exec(text.slice(start))![0];
  if (indentation.includes('\t')) return { offset: start + indentation.indexOf('\t'), words: TAB };
  const opening = text.charAt(offset);
  const closing = CLOSING[opening] ?? opening;
  if (CLOSING[opening] === text.charAt(end))
    return { offset: end, words: `bad indentation: expected spaces before the ${closing} that closes` };
  const where = text.slice(offset, end).includes('\n') ? IN_LINES : '';
  return { offset, words: `this ${opening} is never closed: expected ${closing}${where}` };
}

/** A line with less indentation ends its section, closed or not. */
const IN_LINES = ' in its line, or in lines below that are indented further';

const isQuoted = (type: string | undefined): boolean => type?.startsWith('QUOTE_') === true;

const CLOSING: Readonly<Record<string, string>> = { '[': ']', '{': '}' };

function placeOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: before.at(-1)!.length + 1 };
}

/** Text that may be a secret is not repeated. */
const SECRET = /private|token|secret|password/i;
const BEFORE_MARK = 60;
const SHOWN = 100;

/** Shows the line with a mark below the column. A line with secrets is not shown. */
function excerpt(text: string, line: number, column: number): string {
  const source = (text.split('\n')[line - 1] ?? '').replaceAll('\t', ' ').trimEnd();
  if (SECRET.test(source)) return '';
  const from = Math.max(0, column - BEFORE_MARK);
  const gutter = `  ${line} | `;
  const mark = `${' '.repeat(gutter.length - 2)}| ${' '.repeat(column - 1 - from)}^`;
  return `\n${gutter}${source.slice(from, from + SHOWN)}\n${mark}`;
}
