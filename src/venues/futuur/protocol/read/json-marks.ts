/** What stands between the values of JSON whose members come in a known order. */
import { type Choice, choices, expected, type Expected, type TextScan } from './text-scan.js';

/** Around the words of JSON, and of JSON that is a text within another. */
export const QUOTES = { plain: '"', nested: '\\"' } as const;
export type Quote = (typeof QUOTES)[keyof typeof QUOTES];

export const quoted = (quote: Quote, word: string): string => quote + word + quote;

/** The words of the venue that may be a value. */
export const quotedWords = <Word extends string>(
  quote: Quote,
  words: readonly Word[],
): readonly Choice<Word>[] => choices(words.map((word) => [quoted(quote, word), word]));

/** How the members of an object begin, in one spelling. */
export interface Spelling {
  /** The blank after commas and colons. */
  readonly space: '' | ' ';
  /** The brace of an object and the name of its first member. */
  readonly first: (name: string) => string;
  /** The comma before another member, and its name. */
  readonly next: (name: string) => string;
}

const spelling = (quote: Quote, space: '' | ' '): Spelling => ({
  space,
  first: (name) => `{${quoted(quote, name)}:${space}`,
  next: (name) => `,${space}${quoted(quote, name)}:${space}`,
});

/** As `JSON.stringify` writes, and as Python does. */
export interface Marks<Texts> {
  readonly compact: Texts;
  readonly spaced: Texts;
}

/** @param texts writes them in one spelling; the first is what everything begins with */
export const marksOf = <Texts extends { readonly first: Expected }>(
  quote: Quote,
  texts: (spelling: Spelling) => Texts,
): Marks<Texts> => ({ compact: texts(spelling(quote, '')), spaced: texts(spelling(quote, ' ')) });

/** Passes what everything begins with. @returns what stands between the values */
export function passFirst<Texts extends { readonly first: Expected }>(
  scan: TextScan,
  { compact, spaced }: Marks<Texts>,
): Texts {
  if (scan.tries(spaced.first)) return spaced;
  scan.pass(compact.first);
  return compact;
}

const NULL = expected('null');

/** Passes a null. @returns whether one stood there */
export const isNull = (scan: TextScan): boolean => scan.tries(NULL);

/** Passes the name of a member that may be missing, and its null. @returns whether its value is what comes next */
export const isStated = (scan: TextScan, member: Expected): boolean => scan.tries(member) && !isNull(scan);
