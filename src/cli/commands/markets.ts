import { EXIT, type ExitCode, UsageError } from '../../domain/errors.js';
import type { Micros } from '../../domain/units.js';
import {
  type MarketFilter,
  type Offer,
  offeredMarkets,
  type OfferedMarket,
} from '../../runs/offered-markets.js';
import { openPublicRest } from '../../runs/live/connections.js';
import { timeOf } from '../../runs/selection.js';
import { loadListenerSettings } from '../../settings/index.js';
import { SystemClock } from '../../storage/clocks/system-clock.js';
import type { Instant } from '../../settings/scalars.js';
import { print, printJson, remark } from '../output.js';

export interface MarketsArguments {
  readonly search?: string;
  readonly category?: string;
  readonly closesAfter?: Instant;
  readonly closesBefore?: Instant;
  readonly minVolume?: number;
  readonly maxSpread?: number;
  readonly limit: number;
  /** Recordings, and folders of them. */
  readonly edge?: readonly string[];
  readonly step?: number;
  readonly distances: number;
  readonly json: boolean;
}

/** `oddsmith markets`: what the venue of a file offers now; with `--edge` what recordings would have earned. */
export async function markets(file: string | undefined, given: MarketsArguments): Promise<ExitCode> {
  const { edge } = given;
  if ((edge === undefined) === (file === undefined))
    throw new UsageError(
      'markets needs either a configuration file, whose venue is asked, or --edge with recordings; try oddsmith markets --help',
    );
  if (edge === undefined) return listMarkets(file!, given);
  const { rankRecordedMarkets } = await import('./calibrate.js');
  return rankRecordedMarkets({ ...given, edge });
}

async function listMarkets(file: string, given: MarketsArguments): Promise<ExitCode> {
  const { settings } = loadListenerSettings(file, process.env);
  const { venue, currencyMode, currency } = settings;
  if (venue === null)
    throw new UsageError(`${file} names no venue: its exchange offers what stands in its section exchange`);
  const clock = new SystemClock();
  const rest = openPublicRest(venue, clock);
  try {
    const now = clock.now();
    const offer = await offeredMarkets(rest, currencyMode, filterOf(given, now), now);
    if (given.json) printJson({ venue: venue.name, currencyMode, ...offer });
    else show(offer, currency);
    return EXIT.clean;
  } finally {
    await rest.close();
  }
}

const filterOf = (given: MarketsArguments, now: Micros): MarketFilter => ({
  search: given.search ?? null,
  categories: given.category === undefined ? [] : [given.category],
  closesAfter: timeOf(given.closesAfter, now),
  closesBefore: timeOf(given.closesBefore, now),
  minVolume: given.minVolume ?? null,
  maxSpread: given.maxSpread ?? null,
  limit: given.limit,
});

function show({ events, unread }: Offer, currency: string): void {
  print(...(events.length === 0 ? ['no open market fits'] : offerLines(events, currency)));
  if (unread > 0)
    remark(
      `${unread} more markets fit; their books were not read: narrow it with --search, or raise --limit`,
    );
}

/** A line for each event, and one for each of its markets. */
export const offerLines = (events: Offer['events'], currency: string): readonly string[] =>
  events.flatMap(({ eventId, title, closes, volume, resolutionMode, markets }) => {
    const facts = [
      `event ${eventId}`,
      closes === null ? 'no end' : `closes ${new Date(closes / 1_000).toISOString().slice(0, 16)}Z`,
      volume === null ? 'volume not told' : `volume ${volume.toFixed(0)} ${currency}`,
      ...(resolutionMode === 'exclusive' && markets.length > 1 ? ['one winner'] : []),
    ];
    return [`${title}  (${facts.join(', ')})`, ...markets.map(line)];
  });

/** `   2231  0.47 x30.06 / 0.50 x2.54   spread 0.0300  Candidate A`. */
function line({ marketId, title, bid, bidShares, ask, askShares, spread }: OfferedMarket): string {
  const side = (price: number | null, shares: number): string =>
    price === null ? 'none' : `${priced(price)} x${shares.toFixed(2)}`;
  const book = `${side(bid, bidShares).padStart(16)} / ${side(ask, askShares).padEnd(16)}`;
  return `  ${marketId.padStart(8)} ${book} spread ${(spread === null ? '-' : priced(spread)).padEnd(7)} ${title}`;
}

const priced = (price: number): string => price.toFixed(4).replace(/0{1,2}$/, '');
