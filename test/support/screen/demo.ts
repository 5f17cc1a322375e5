/** What `oddsmith demo --json` prints on stdout, one JSON document in a line each. */

/** The first line: the bot is about to quote, and these addresses answer. */
export interface ReadyLine {
  readonly event: 'ready';
  readonly urls: {
    readonly exchange: string;
    readonly metrics: string;
    readonly health: string;
    readonly ready: string;
  };
}

/** The last line: what the run came to. */
export interface SummaryLine {
  readonly event: 'summary';
  /** Path of the page; its folder is that of the run. */
  readonly report: string;
  readonly ordersPlaced: number;
  readonly fills: number;
  /** What the venue still listed after the stop, asked twice. */
  readonly ordersOpen: number;
}

type Line = ReadyLine | SummaryLine;

/**
 * Finds a line by its event in what a terminal or a pipe received; other text between the lines is passed over.
 * @throws Error with the whole output when there is none
 */
export function lineOf<Kind extends Line['event']>(
  output: string,
  kind: Kind,
): Extract<Line, { event: Kind }> {
  const start = `{"event":"${kind}"`;
  const found = output.split(/\r?\n/).find((line) => line.includes(start));
  if (found === undefined) throw new Error(`no line of event ${kind} in:\n${output}`);
  // A terminal privateFeed ^C in front of what is printed next.
  return JSON.parse(found.slice(found.indexOf(start))) as Extract<Line, { event: Kind }>;
}
