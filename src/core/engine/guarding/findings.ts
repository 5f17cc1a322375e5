import type { Levels } from '../../../domain/levels.js';
import { type Micros, PRICE_ONE, wholeShares } from '../../../domain/units.js';
import type { MarketId } from '../../../domain/ids.js';
import type { Finding } from '../../mirror/findings.js';
import type { EngineOptions } from '../options.js';
import type { Notices } from './notices.js';
import type { Tally } from '../accounting/tally.js';

/** What this part of the engine works with. */
export interface FindingParts {
  readonly notices: Notices;
  readonly tally: Tally;
  readonly options: Pick<EngineOptions, 'events'>;
}

/** All but what changes the rules of a market. */
export type DescribedFinding = Exclude<Finding, { readonly kind: 'grid-learned' }>;

/** Tells a person what the mirror found, and counts where the venue's view was not ours. */
export function describeFinding(
  finding: DescribedFinding,
  { notices, tally, options }: FindingParts,
  at: Micros,
): void {
  switch (finding.kind) {
    case 'book-malformed':
      return notices.warn('book-unusable', 'the book has malformed levels', finding.marketId, at);
    case 'book-off-grid':
      return notices.warn('book-unusable', offGridText(finding, options), finding.marketId, at);
    case 'witness-disagreed':
      tally.differed('book');
      return notices.info(
        'witness-disagreed',
        `a book read over REST is not the mirror's, ${finding.inARow} in a row: ${bookText(finding.venue)}, not ${bookText(finding.mirror)}`,
        finding.marketId,
        at,
      );
    case 'status-not-understood':
      return notices.warn(
        'status-not-understood',
        'a status message could not be read; quoting waits',
        null,
        at,
      );
    case 'event-not-shown':
      return notices.warn(
        `event-${finding.eventId}-not-shown`,
        `the venue shows no event ${finding.eventId}: whether its markets may be traded is known from frames alone; look at its number in the configuration`,
        null,
        at,
      );
    case 'market-not-in-event':
      return notices.warn(
        'market-not-in-event',
        `event ${finding.eventId} of the venue has no market ${finding.marketId}: look at both numbers in the configuration`,
        finding.marketId,
        at,
      );
    case 'resolution-contradicted':
      return notices.error(`event-${finding.eventId}-${finding.kind}`, contradictionText(finding), at);
    case 'resolution-agreed':
      return notices.info(
        `event-${finding.eventId}-${finding.kind}`,
        `the venue says exclusive of event ${finding.eventId} again: it is quoted`,
        null,
        at,
      );
    case 'resolution-needless':
      return notices.warn(`event-${finding.eventId}-${finding.kind}`, needlessText(finding), null, at);
    case 'resolution-unsaid':
      return notices.warn(
        `event-${finding.eventId}-${finding.kind}`,
        `neither the venue nor the configuration says whether several markets of event ${finding.eventId} may resolve long: its worst case counts that they may; say resolutionMode in the configuration`,
        null,
        at,
      );
    case 'channel-refused':
      return notices.say(
        {
          level: 'error',
          code: 'channel-refused',
          text: `the channel ${finding.channel} was refused: ${finding.reason}`,
          marketId: null,
        },
        at,
      );
  }
}

type Of<Kind extends Finding['kind']> = Extract<Finding, { readonly kind: Kind }>;

function offGridText(
  { marketId, price, tickUnits, fitting }: Of<'book-off-grid'>,
  { events }: Pick<EngineOptions, 'events'>,
): string {
  const found = `the book has a price of ${price / PRICE_ONE}, off the grid of ${tickUnits / PRICE_ONE} that ${keyOf(marketId, events)} says`;
  const fits = fitting === null ? '' : `; its prices fit a grid of ${fitting / PRICE_ONE}`;
  return `${found}${fits}: the market is not quoted; set tickSize: auto there, and start the bot again`;
}

/** Where the file names the grid of a market. */
function keyOf(market: MarketId, events: EngineOptions['events']): string {
  for (const [at, { markets }] of events.entries()) {
    const index = markets.findIndex(({ id }) => id === market);
    if (index >= 0) return `events[${at}].markets[${index}].tickSize`;
  }
  return 'the configuration';
}

function contradictionText({ eventId, by }: Of<'resolution-contradicted'>): string {
  const halted = 'nothing is quoted there, and its worst case counts that several markets may resolve long';
  return by === 'configuration'
    ? `the venue says non_exclusive of event ${eventId}, the configuration exclusive (or exhaustive): ${halted}; set resolutionMode: non_exclusive there, without exhaustive, or leave out both, and start the bot again`
    : `the venue says non_exclusive of event ${eventId}, and said exclusive before: ${halted}; where that is right, start the bot again`;
}

function needlessText({ eventId, by }: Of<'resolution-needless'>): string {
  const [who, remedy] =
    by === 'configuration'
      ? ['the configuration non_exclusive', 'leave out resolutionMode there']
      : ['and said non_exclusive before', 'start the bot again'];
  return `the venue says exclusive of event ${eventId}, ${who}: its worst case counts more losses than can come; to go by the venue, ${remedy}`;
}

const bookText = ({ bids, asks }: { readonly bids: Levels; readonly asks: Levels }): string =>
  `bids ${levelsText(bids)} and asks ${levelsText(asks)}`;

const levelsText = ({ prices, shares }: Levels): string =>
  prices.length === 0
    ? 'none'
    : prices.map((price, level) => `${wholeShares(shares[level]!)} at ${price / PRICE_ONE}`).join(', ');
