/** The text of a first configuration file, commented, for a person to go on from. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { isMap, parseDocument, stringify } from 'yaml';
import { UsageError } from '../domain/errors.js';
import { plainText } from '../domain/plain-text.js';
import { type Currency, modeOf } from '../domain/vocabulary.js';
import type { OfferedEvent, OfferedMarket } from './offered-markets.js';
import { loadStrategy } from './strategies/strategies.js';

/** What a person chose. */
export interface FirstChoice {
  readonly currency: Currency;
  /** With the markets to quote alone; at least one. */
  readonly events: readonly OfferedEvent[];
  /** Name of a bundled strategy, or a path from the new file. */
  readonly strategy: string;
  /** Currency units that may be lost. */
  readonly budget: number;
  /** As {@link venueSectionOf} gives it. */
  readonly venue: Readonly<Record<string, unknown>>;
  /** Path of the new file, for its own comments. */
  readonly file: string;
}

/** The file whose venue a new file has unless another is named. */
export const FUTUUR_FILE = join(
  dirname(createRequire(import.meta.url).resolve('oddsmith/package.json')),
  'config/futuur-play-money.yaml',
);

const REFERENCE = /^\$\{[A-Za-z_][A-Za-z0-9_]*\}$/;

/**
 * The section `venue` of a file as it stands there, variables unread. A key that stands there as a text becomes a variable.
 * @throws UsageError when the file cannot be read, or has none
 */
export function venueSectionOf(file: string): Readonly<Record<string, unknown>> {
  let document;
  try {
    document = parseDocument(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
  const section = isMap(document.contents) ? document.get('venue', true) : undefined;
  if (document.errors.length > 0 || !isMap(section))
    throw new UsageError(`${file} has no section venue to take over`);
  const venue = section.toJSON() as Readonly<Record<string, unknown>>;
  const { publicKey, privateKey } = venue;
  return {
    ...venue,
    publicKey: typeof publicKey === 'string' ? publicKey : '${ODDSMITH_PUBLIC_KEY}',
    privateKey:
      typeof privateKey === 'string' && REFERENCE.test(privateKey) ? privateKey : '${ODDSMITH_PRIVATE_KEY}',
  };
}

/** Of the budget of a market: one quote, so that ten fills on one side use it up. */
const QUOTE_SHARE = 0.1;
const LEAST_SHARES = 1;
const LEAST_HALF_SPREAD = 0.01;

/**
 * A share loses at most 1, so positions are bounded by the budget of a market.
 * @throws UsageError for a strategy that is not there, or a budget that is too small for the markets
 */
export async function firstFile(choice: FirstChoice): Promise<string> {
  const { currency, events, strategy, budget, venue, file } = choice;
  const markets = events.flatMap((event) => event.markets);
  const perMarket = cents(budget / markets.length);
  if (perMarket < LEAST_SHARES)
    throw new UsageError(
      `a budget of ${budget} ${currency} is ${perMarket} for each of ${markets.length} markets; expected at least ` +
        `${LEAST_SHARES} for each: choose fewer markets or a larger budget`,
    );
  const shares = Math.max(LEAST_SHARES, cents(perMarket * QUOTE_SHARE));
  const { params } = await loadStrategy(strategy, file);
  const wanted = { halfSpread: halfSpreadOf(markets), shares, range: perMarket, maxInventory: perMarket };
  const given = Object.entries(wanted).filter(([name]) => Object.hasOwn(params, name));
  return `# Written by oddsmith init. Check it with: oddsmith config check ${file}

# paper: live data of the venue, orders on a simulated one; needs no keys. live: the same bot trades at the venue.
mode: paper
paper:
  balance: '${Math.max(1_000, Math.ceil(budget * 10))}' # cash of the paper account, in ${currency}
  scenario: expected # how fills are believed to come: pessimistic, expected or optimistic

currencyMode: ${modeOf(currency)}${modeOf(currency) === 'real_money' ? ' # live it also needs the flag --real-money' : ''}
currency: ${currency}

# Keys are read from the environment, in mode live alone.
${stringify({ venue }).trimEnd()}

events:
${events.map(eventText).join('\n')}

instances:
  - name: first
    strategy: ${plainWord(strategy)}
    markets: [${markets.map(({ marketId }) => plainWord(marketId)).join(', ')}]
    params: { ${given.map(([name, value]) => `${name}: '${value}'`).join(', ')} } # docs/strategies.md says what each means
    limits:
      maxOrderShares: '${perMarket}' # most shares of one order
      maxOrderAmount: '${perMarket}' # greatest price x shares of one order
      maxPositionShares: '${perMarket}' # most net shares per market: a share loses at most 1
      maxEventLoss: '${cents(budget)}' # worst case of one event, open orders counted
      maxLoss: '${cents(budget)}' # loss of a run that stops the bot until you resume it

quoting:
  minRestMs: 1000 # a quote rests at least this long before it is moved
  preCloseMs: 60000 # out of a market so long before betting ends

# tape: { record: true } records the run, for oddsmith explain, parity and shadow
`;
}

/** Half of the median spread: quotes stand beside the best ones. */
function halfSpreadOf(markets: readonly OfferedMarket[]): number {
  const spreads = markets.flatMap(({ spread }) => spread ?? []).toSorted((one, other) => one - other);
  const median = spreads[Math.floor(spreads.length / 2)] ?? 2 * LEAST_HALF_SPREAD;
  return Math.min(0.1, Math.max(LEAST_HALF_SPREAD, Math.round((median / 2) * 1_000) / 1_000));
}

const cents = (amount: number): number => Math.floor(amount * 100 + 1e-9) / 100;

/** Titles are comments: what somebody else wrote is no value of the file. */
const commentOf = (title: string): string => plainText(title);

/** As YAML: bare where it can be. */
const plainWord = (text: string): string => (/^[\w-]+$/.test(text) ? text : JSON.stringify(text));

const eventText = ({ eventId, title, markets }: OfferedEvent): string =>
  [
    `  - id: ${plainWord(eventId)} # ${commentOf(title)}`,
    '    markets:',
    ...markets.map(
      ({ marketId, title: name }) => `      - { id: ${plainWord(marketId)} } # ${commentOf(name)}`,
    ),
  ].join('\n');
