/** One case's conversation with a venue: what the feed told, what was asked and answered. */
import { merge, type Observable } from 'rxjs';
import type { Answer, AnswerBody, RequestFailure } from '../../src/domain/answers.js';
import type { VenueRequest } from '../../src/domain/effects.js';
import type { MarketId, OrderId } from '../../src/domain/ids.js';
import type { FeedInput } from '../../src/domain/inputs.js';
import type { LimitOrder, OrderReport } from '../../src/domain/orders.js';
import type { Micros, PriceUnits, Shares } from '../../src/domain/units.js';
import type { Position, Side } from '../../src/domain/vocabulary.js';
import { VenueGateway } from '../../src/venues/gateway.js';
import type { VenueClient } from '../../src/venues/port.js';
import { approved } from '../support/bot/effects.js';
import { MemoryJournal } from '../support/disk/memory-journal.js';
import type { VenueUnderTest } from './venue-under-test.js';

type Told<K extends FeedInput['kind']> = Extract<FeedInput, { readonly kind: K }>;
type Body<K extends AnswerBody['kind']> = Extract<AnswerBody, { readonly kind: K }>;

/** Long enough for a request of a test. */
const DEADLINE_US = 60_000_000;

export interface OrderTerms {
  readonly price: number;
  readonly shares: number;
  readonly side?: Side;
  readonly position?: Position;
  readonly market?: MarketId;
  readonly expiresAt?: Micros;
}

export class Scene {
  readonly told: FeedInput[] = [];
  readonly answers: Answer[] = [];
  readonly #gateway: VenueGateway;
  #requests = 0;

  constructor(
    readonly venue: VenueUnderTest,
    client: VenueClient = venue.client,
  ) {
    const { clock, feed } = venue;
    this.#gateway = new VenueGateway({
      perform: client.performing({
        mode: 'play_money',
        tickUnitsOf: () => 100,
      }),
      clock,
      journal: new MemoryJournal(),
      keyOf: (requestId) => `acceptance-${requestId}`,
      latched: () => null,
      venueAhead: () => client.venueAhead,
      canDate: (sentAt) => client.canDate(sentAt),
      onFault: (error) => {
        throw error;
      },
    });
    this.#gateway.answers.subscribe((answer) => this.answers.push(answer));
    if (client === venue.client)
      merge(...Object.values<Observable<FeedInput>>(feed.streams)).subscribe((input) =>
        this.told.push(input),
      );
  }

  /** The feed is connected, and everything is joined. */
  async join(): Promise<void> {
    this.venue.feed.connect();
    await this.joined();
  }

  /** Both topics are joined, after so many inputs. */
  async joined(after = 0): Promise<void> {
    const isJoined = (about: string): boolean =>
      this.told
        .slice(after)
        .some((one) => one.kind === 'subscription' && one.state === 'subscribed' && one.about.kind === about);
    await this.venue.until('both topics are joined', () => isJoined('account') && isJoined('event'));
  }

  all<K extends FeedInput['kind']>(kind: K): readonly Told<K>[] {
    return this.told.filter((one): one is Told<K> => one.kind === kind);
  }

  /** The last book of the first market that the feed told, as `[bids, asks]` of `price x shares`. */
  get book(): readonly [readonly string[], readonly string[]] {
    const book = this.all('book').findLast(({ marketId }) => marketId === this.venue.markets[0]);
    return book === undefined ? [[], []] : sidesOf(book);
  }

  reportsOf(id: OrderId): readonly OrderReport[] {
    return this.all('order').flatMap(({ report }) => (report.orderId === id ? [report] : []));
  }

  order({ market, expiresAt, price, shares, side = 'bid', position = 'long' }: OrderTerms): LimitOrder {
    return {
      eventId: this.venue.eventId,
      marketId: market ?? this.venue.markets[0],
      side,
      position,
      currency: 'OOM',
      price: price as PriceUnits,
      shares: shares as Shares,
      expiresAt: expiresAt ?? null,
    };
  }

  /** @param requestId of an earlier request, to send it again */
  async ask(request: VenueRequest, requestId = ++this.#requests): Promise<Answer> {
    const before = this.answers.length;
    this.submit(request, requestId);
    const answered = (): Answer | undefined =>
      this.answers.slice(before).findLast((one) => one.requestId === requestId && !isPart(one));
    await this.venue.until(`an answer to ${request.kind}`, () => answered() !== undefined);
    return answered()!;
  }

  submit(request: VenueRequest, requestId = ++this.#requests): number {
    const deadline = (this.venue.clock.now() + DEADLINE_US) as Micros;
    this.#gateway.submit({ kind: 'send', requestId, request, deadline });
    return requestId;
  }

  creation(...orders: readonly OrderTerms[]): VenueRequest {
    return { kind: 'create-orders', orders: orders.map((terms) => approved(this.order(terms))) };
  }

  /** Sends one order. @throws Error when it is refused */
  async create(terms: OrderTerms): Promise<OrderReport> {
    const [item] = bodyOf(await this.ask(this.creation(terms)), 'create-orders').items;
    if (item?.ok !== true) throw new Error(`refused: ${JSON.stringify(item)}`);
    return item.value;
  }

  async read<K extends 'read-orders' | 'read-holdings' | 'read-balances'>(kind: K): Promise<Body<K>> {
    return bodyOf(await this.ask({ kind }), kind);
  }

  async readBook(): Promise<Body<'read-book'>> {
    const marketId = this.venue.markets[0];
    return bodyOf(await this.ask({ kind: 'read-book', marketId, mode: 'play_money' }), 'read-book');
  }

  /** Free cash in money units. */
  async cash(): Promise<number> {
    return (await this.read('read-balances')).balances.get('OOM') ?? 0;
  }

  /** Shares held of the first market, as read. */
  async held(): Promise<{ readonly long: number; readonly short: number }> {
    const { holdings } = await this.read('read-holdings');
    const of = (position: Position): number =>
      holdings.find((one) => one.marketId === this.venue.markets[0] && one.position === position)?.shares ??
      0;
    return { long: of('long'), short: of('short') };
  }

  /** A stranger's book of 100 shares at 0.40 and 0.60 in the first market. */
  makeMarket(): void {
    const [marketId] = this.venue.markets;
    this.venue.stranger({ marketId, side: 'bid', price: 4_000, shares: 10_000 });
    this.venue.stranger({ marketId, side: 'ask', price: 6_000, shares: 10_000 });
  }

  /** The account has bought shares of the first market from a stranger. */
  async buy(position: Position, price: number, shares: number): Promise<OrderReport> {
    const report = await this.create({ position, price, shares });
    const long = position === 'long' ? price : 10_000 - price;
    const side = position === 'long' ? 'ask' : 'bid';
    this.venue.stranger({ marketId: this.venue.markets[0], side, price: long, shares });
    const isFilled = (): boolean => this.reportsOf(report.orderId).some(({ status }) => status === 'filled');
    await this.venue.until('the order is filled', isFilled);
    return report;
  }
}

/** A part of a listing, of which the whole follows. */
const isPart = ({ outcome }: Answer): boolean =>
  outcome.ok && outcome.body.kind === 'read-orders' && outcome.body.ended === 'pending';

export function bodyOf<K extends AnswerBody['kind']>({ outcome }: Answer, kind: K): Body<K> {
  if (!outcome.ok) throw new Error(`not ok: ${JSON.stringify(outcome.failure)}`);
  if (outcome.body.kind !== kind) throw new Error(`${outcome.body.kind}, not ${kind}`);
  return outcome.body as Body<K>;
}

export function failureOf({ outcome }: Answer): RequestFailure {
  if (outcome.ok) throw new Error(`ok: ${JSON.stringify(outcome.body)}`);
  return outcome.failure;
}

interface Sides {
  readonly prices: readonly number[];
  readonly shares: readonly number[];
}

export const sidesOf = ({ bids, asks }: { readonly bids: Sides; readonly asks: Sides }) =>
  [bids, asks].map(({ prices, shares }) =>
    prices.map((price, at) => `${price} x ${shares[at]}`),
  ) as unknown as readonly [readonly string[], readonly string[]];
