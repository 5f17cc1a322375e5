/** What a venue offers now: open markets, most traded first, with their books. Public reads alone. */
import type { EventId, MarketId } from '../domain/ids.js';
import type { EventDescription, MarketDescription } from '../domain/market.js';
import type { Levels } from '../domain/levels.js';
import { type Micros, PRICE_ONE, type PriceUnits, SHARE_ONE } from '../domain/units.js';
import type { CurrencyMode } from '../domain/vocabulary.js';
import { UsageError, VenueUnreachableError } from '../domain/errors.js';
import type { ListedDescription } from '../venues/futuur/protocol/read/events.js';
import type { Outcome } from '../venues/outcome.js';
import type { RestClient } from '../venues/futuur/rest/rest-client.js';

/** What is asked for; null: whatever it is. */
export interface MarketFilter {
  readonly search: string | null;
  /** Any of them; empty: of any. */
  readonly categories: readonly string[];
  readonly closesAfter: Micros | null;
  readonly closesBefore: Micros | null;
  /** Currency units; events whose turnover the venue does not tell are left out. */
  readonly minVolume: number | null;
  /** Probability; markets without a bid or an ask are left out. */
  readonly maxSpread: number | null;
  /** Markets by id; left out: all. */
  readonly ids?: readonly string[];
  /** Markets that nobody wants to hear of; left out: none. */
  readonly without?: ReadonlySet<string>;
  /** Markets that are wanted; left out: all whose books are read. */
  readonly most?: number;
  /** Markets whose books are read. */
  readonly limit: number;
  /** No book is read, and none is told. */
  readonly isBookless?: boolean;
}

/** An open market with its book. */
export interface OfferedMarket {
  readonly marketId: MarketId;
  readonly title: string;
  /** Best prices, as probabilities, with whole shares there; null: nobody stands there. */
  readonly bid: number | null;
  readonly bidShares: number;
  readonly ask: number | null;
  readonly askShares: number;
  /** null where a side is empty. */
  readonly spread: number | null;
}

export interface OfferedEvent {
  readonly eventId: EventId;
  readonly title: string;
  readonly categories: readonly string[];
  readonly resolutionMode: EventDescription['resolutionMode'];
  readonly closes: Micros | null;
  /** Currency units; null where the venue does not tell it. */
  readonly volume: number | null;
  readonly markets: readonly OfferedMarket[];
}

export interface Offer {
  readonly events: readonly OfferedEvent[];
  /** Markets that fit, but whose books were not read. */
  readonly unread: number;
}

const PAGE = 100;
/** More events than any venue offers at one time: a server that always names a next page. */
const EVENTS_MOST = 20_000;

type Reads = Pick<RestClient, 'events' | 'book'>;

/** @throws VenueUnreachableError, UsageError when the venue refuses the question */
export async function offeredMarkets(
  rest: Reads,
  mode: CurrencyMode,
  filter: MarketFilter,
  now: Micros,
): Promise<Offer> {
  const found = (await listed(rest, mode, filter)).filter((event) => fits(event, mode, filter, now));
  found.sort((one, other) => (other.volume[mode] ?? -1) - (one.volume[mode] ?? -1));
  const events: OfferedEvent[] = [];
  let [left, unread, most] = [filter.limit, 0, filter.most ?? Infinity];
  for (const event of found) {
    const open = openMarkets(event, now).filter(
      ({ id }) => (filter.ids?.includes(id) ?? true) && filter.without?.has(id) !== true,
    );
    const read = most <= 0 ? [] : open.slice(0, left);
    left -= read.length;
    unread += open.length - read.length;
    const markets =
      filter.isBookless === true
        ? read.map(unseen)
        : await Promise.all(read.map((market) => offered(rest, mode, market)));
    const wanted = markets
      .filter(({ spread }) => filter.maxSpread === null || (spread !== null && spread <= filter.maxSpread))
      .slice(0, most);
    most -= wanted.length;
    if (wanted.length > 0) events.push(eventOf(event, mode, wanted));
  }
  return { events, unread };
}

/** All pages. What the venue may not understand is filtered here. */
async function listed(
  rest: Reads,
  mode: CurrencyMode,
  { search }: MarketFilter,
): Promise<readonly ListedDescription[]> {
  const found = new Map<EventId, ListedDescription>();
  for (let offset: number | null = 0; offset !== null && offset < EVENTS_MOST;) {
    const query = { currency_mode: mode, limit: PAGE, offset, ...(search !== null && { search }) };
    const page: Awaited<ReturnType<Reads['events']>> = await rest.events(query, () => 1);
    const { events, nextOffset } = told(page, 'events');
    for (const event of events) found.set(event.id, event);
    offset = nextOffset;
  }
  return [...found.values()];
}

function fits(event: ListedDescription, mode: CurrencyMode, filter: MarketFilter, now: Micros): boolean {
  const { categories, closesAfter, closesBefore, minVolume } = filter;
  const closes = event.betEnd;
  return (
    event.status === 'open' &&
    (closes === null || closes > now) &&
    (categories.length === 0 || event.categories.some((one) => isAmong(one, categories))) &&
    (closesAfter === null || closes === null || closes >= closesAfter) &&
    (closesBefore === null || (closes !== null && closes <= closesBefore)) &&
    (minVolume === null || (event.volume[mode] ?? -1) >= minVolume)
  );
}

const isAmong = (category: string, wanted: readonly string[]): boolean =>
  wanted.some((one) => one.toLowerCase() === category.toLowerCase());

/** Those of an event in which orders can be placed. */
export const openMarkets = (event: EventDescription, now: Micros): readonly MarketDescription[] =>
  event.status !== 'open'
    ? []
    : event.markets.filter(
        ({ status, disabled, betEnd }) =>
          status === 'active' && disabled !== true && (betEnd ?? event.betEnd ?? Infinity) > now,
      );

async function offered(rest: Reads, mode: CurrencyMode, market: MarketDescription): Promise<OfferedMarket> {
  const { bids, asks } = told(await rest.book(market.id, mode), `the book of market ${market.id}`);
  const [bid, ask] = [best(bids), best(asks)];
  return {
    marketId: market.id,
    title: market.title,
    bid: bid.price,
    bidShares: bid.shares,
    ask: ask.price,
    askShares: ask.shares,
    spread:
      bid.price === null || ask.price === null ? null : Math.round((ask.price - bid.price) * 10_000) / 10_000,
  };
}

const unseen = ({ id, title }: MarketDescription): OfferedMarket => ({
  marketId: id,
  title,
  bid: null,
  bidShares: 0,
  ask: null,
  askShares: 0,
  spread: null,
});

function best({ prices, shares }: Levels): { readonly price: number | null; readonly shares: number } {
  const price: PriceUnits | undefined = prices[0];
  return price === undefined
    ? { price: null, shares: 0 }
    : { price: price / PRICE_ONE, shares: shares[0]! / SHARE_ONE };
}

const eventOf = (
  { id, title, categories, resolutionMode, betEnd, volume }: ListedDescription,
  mode: CurrencyMode,
  markets: readonly OfferedMarket[],
): OfferedEvent => ({
  eventId: id,
  title,
  categories,
  resolutionMode,
  closes: betEnd,
  volume: volume[mode],
  markets,
});

/** What the venue answers. @throws VenueUnreachableError, UsageError when it refuses */
export function told<Value>(outcome: Outcome<Value>, what: string): Value {
  if (outcome.ok) return outcome.value;
  const { failure } = outcome;
  if (failure.kind !== 'refused')
    throw new VenueUnreachableError(
      `the venue cannot be reached for ${what} (${failure.reason}): check the network and venue.baseUrl`,
    );
  if (failure.means === 'throttled')
    throw new VenueUnreachableError(
      `${what} cannot be read: the venue turns requests away (429); try again later`,
    );
  throw new UsageError(`the venue refuses ${what} (${failure.status} ${failure.code}: ${failure.detail})`);
}
