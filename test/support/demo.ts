/** What `oddsmith demo --json` prints on stdout, one JSON document in a line each. */

/** The first line: the bot is about to quote, and these addresses answer. */
export interface ReadyLine {
  readonly kind: 'ready';
  readonly urls: {
    readonly exchange: string;
    readonly metrics: string;
    readonly health: string;
    readonly ready: string;
  };
}

/** The last line: what the run came to. */
export interface SummaryLine {
  readonly kind: 'summary';
  readonly ordersPlaced: number;
  readonly fills: number;
  /** What the venue still listed after the stop, asked twice. */
  readonly ordersOpen: number;
}

type Line = ReadyLine | SummaryLine;

/**
 * Finds a line by its kind in what a terminal or a pipe received; other text between the lines is passed over.
 * @throws Error with the whole output when there is none
 */
export function lineOf<Kind extends Line['kind']>(output: string, kind: Kind): Extract<Line, { kind: Kind }> {
  const found = output.split(/\r?\n/).find((line) => line.startsWith(`{"kind":"${kind}"`));
  if (found === undefined) throw new Error(`no line of kind ${kind} in:\n${output}`);
  return JSON.parse(found) as Extract<Line, { kind: Kind }>;
}
