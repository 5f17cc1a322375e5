/** The acceptance list: what the core relies on, whatever the venue. An adapter is done when every case passes. */
import { expect } from 'vitest';
import type { Answer, AnswerBody, ItemOutcome, RefusalMeaning } from '../../src/domain/answers.js';
import type { VenueRequest } from '../../src/domain/effects.js';
import { orderId } from '../../src/domain/ids.js';
import type { OrderReport } from '../../src/domain/orders.js';
import type { Micros, PriceUnits, Shares } from '../../src/domain/units.js';
import { approved } from '../support/bot/effects.js';
import { bodyOf, failureOf, type OrderTerms, Scene, sidesOf } from './scene.js';
import type { Venue } from './venue-under-test.js';

export interface Case {
  /** `V-01`; kept when cases are added. */
  readonly id: string;
  readonly section: string;
  readonly title: string;
  /** Why the venue does not offer it; null: it does. */
  readonly missing?: (venue: Venue) => string | null;
  /** By how much the adapter's clock is wrong; left out: not at all. */
  readonly clockAheadMs?: number;
  readonly run: (scene: Scene) => Promise<void>;
}

const WHOLE = 10_000;
/** A venue may say no more than a sentence. */
const NO_CANCEL = /not-cancelable|unstated/;
const BID: OrderTerms = { price: 4_500, shares: 1_000 };

const itemsOf = (answer: Answer): readonly ItemOutcome<OrderReport>[] =>
  bodyOf(answer, 'create-orders').items;

/** Orders of the account as the venue has them: `bid 1000 at 4500`. */
const standing = ({ venue }: Scene): readonly string[] =>
  venue
    .standing()
    .map(({ side, price, remaining }) => `${side} ${remaining} at ${price}`)
    .toSorted();

/** The feed told that the order has this status. */
const hears = (scene: Scene, id: OrderReport['orderId'], status: OrderReport['status']): Promise<void> =>
  scene.venue.until(`order ${id} is told to be ${status}`, () =>
    scene.reportsOf(id).some((report) => report.status === status),
  );

const strangersBid = (scene: Scene, price: number, shares: number): void =>
  scene.venue.stranger({ marketId: scene.venue.markets[0], side: 'bid', price, shares });
const strangersAsk = (scene: Scene, price: number, shares: number): void =>
  scene.venue.stranger({ marketId: scene.venue.markets[0], side: 'ask', price, shares });

const bookIs = (scene: Scene, bids: readonly string[], asks: readonly string[]): Promise<void> =>
  scene.venue.until(`the book is ${bids.join()} | ${asks.join()}`, () => {
    const [toldBids, toldAsks] = scene.book;
    return toldBids.join() === bids.join() && toldAsks.join() === asks.join();
  });

/** What the feed tells agrees in the end with what a read shows. */
async function booksAgree(scene: Scene): Promise<void> {
  const [bids, asks] = sidesOf(await scene.readBook());
  await bookIs(scene, bids, asks);
}

const byName = (names: readonly (string | null)[]): readonly string[] =>
  names.map(String).toSorted((a, b) => (a < b ? -1 : 1));

const meaningOf = (item: ItemOutcome<unknown> | undefined): RefusalMeaning | 'accepted' | undefined =>
  item?.ok === false ? item.means : item === undefined ? undefined : 'accepted';

async function refusal(scene: Scene, terms: OrderTerms): Promise<RefusalMeaning | 'accepted' | undefined> {
  const { outcome } = await scene.ask(scene.creation(terms));
  if (!outcome.ok) return outcome.failure.kind === 'refused' ? outcome.failure.means : undefined;
  return meaningOf((outcome.body as Extract<AnswerBody, { kind: 'create-orders' }>).items[0]);
}

const cancelOf = (...ids: readonly OrderReport['orderId'][]): VenueRequest => ({
  kind: 'cancel-orders',
  orderIds: ids,
});

const changeOf = (scene: Scene, { orderId: id }: OrderReport, price: number): VenueRequest => ({
  kind: 'replace-orders',
  replacements: [
    approved({
      orderId: id,
      place: scene.order(BID),
      price: price as PriceUnits,
      shares: BID.shares as Shares,
      expiresAt: null,
      says: 'price' as const,
    }),
  ],
});

const settles =
  (as: 'long' | 'short' | 'void' | 'reversal') =>
  ({ abilities: { settlements } }: Venue): string | null =>
    settlements.includes(as) ? null : `no settlement is a ${as}`;

const scope =
  (kind: 'market' | 'event') =>
  ({ profile: { cancelScopes } }: Venue): string | null =>
    cancelScopes.includes(kind) ? null : `nothing cancels a whole ${kind}`;

const changes = ({ profile: { orders } }: Venue): string | null =>
  orders.change === null ? 'orders are not changed' : null;

/** The account holds 10 long shares, bought at 0.45; cash before and the case's own check after the settlement. */
async function settled(
  scene: Scene,
  as: 'long' | 'short' | 'void',
  check: (cash: { readonly start: number; readonly bought: number; readonly end: number }) => void,
): Promise<void> {
  await scene.join();
  const start = await scene.cash();
  await scene.buy('long', 4_500, 1_000);
  const bought = await scene.cash();
  const before = scene.told.length;
  scene.venue.settle(scene.venue.markets[0], as);
  const tellsStatus = (): boolean =>
    scene.told.slice(before).some(({ kind }) => kind === 'market-status' || kind === 'event-status');
  await scene.venue.until('a status is told', tellsStatus);
  const { eventId, markets } = scene.venue;
  const { event } = bodyOf(await scene.ask({ kind: 'read-event', eventId }), 'read-event');
  expect(event.markets.find(({ id }) => id === markets[0])?.resolution).toBe(as);
  expect(await scene.held()).toEqual({ long: 0, short: 0 });
  check({ start, bought, end: await scene.cash() });
}

type Section = readonly [section: string, cases: readonly Omit<Case, 'id' | 'section'>[]];

const SECTIONS: readonly Section[] = [
  [
    'connection',
    [
      {
        title: 'connects, and joins what it is to hear',
        run: async (scene) => {
          await scene.join();
          expect(scene.all('link')).toMatchObject([{ state: 'connected' }]);
        },
      },
      {
        title: 'tells of a loss within milliseconds',
        run: async (scene) => {
          await scene.join();
          const before = scene.venue.clock.now();
          scene.venue.cut();
          await scene.venue.until('the loss is told', () => scene.all('link').at(-1)?.state === 'lost');
          expect((scene.venue.clock.now() - before) / 1_000).toBeLessThan(1_000);
        },
      },
      {
        title: 'connects again by itself, and joins anew',
        run: async (scene) => {
          await scene.join();
          const before = scene.told.length;
          scene.venue.cut();
          await scene.joined(before);
          const states = scene.all('link').map(({ state }) => state);
          expect(states).toEqual(['connected', 'lost', 'connected']);
        },
      },
      {
        title: 'keeps trying while nobody listens',
        run: async (scene) => {
          scene.venue.listen(false);
          scene.venue.feed.connect();
          await scene.venue.pass(300);
          expect(scene.all('link').some(({ state }) => state === 'connected')).toBe(false);
          scene.venue.listen(true);
          await scene.joined();
        },
      },
      {
        title: 'gives a connection up when it is told to, and makes another',
        run: async (scene) => {
          await scene.join();
          const before = scene.told.length;
          scene.venue.feed.reconnect?.('the test');
          await scene.joined(before);
        },
      },
      {
        title: 'says that keys are refused',
        run: async ({ venue }) => {
          const stray = new Scene(venue, venue.strangersClient);
          const failure = failureOf(await stray.ask({ kind: 'read-balances' }));
          expect(failure).toMatchObject({ kind: 'refused', means: 'keys-refused' });
        },
      },
    ],
  ],
  [
    'book',
    [
      {
        title: 'tells absolute levels of the long side, best first',
        run: async (scene) => {
          await scene.join();
          scene.makeMarket();
          strangersBid(scene, 3_900, 500);
          await bookIs(scene, ['4000 x 10000', '3900 x 500'], ['6000 x 10000']);
        },
      },
      {
        title: 'tells what is left of a level that traded',
        run: async (scene) => {
          await scene.join();
          scene.makeMarket();
          strangersAsk(scene, 4_000, 4_000);
          await bookIs(scene, ['4000 x 6000'], ['6000 x 10000']);
        },
      },
      {
        title: 'tells that a level is gone',
        run: async (scene) => {
          await scene.join();
          scene.makeMarket();
          strangersAsk(scene, 4_000, 10_000);
          await bookIs(scene, [], ['6000 x 10000']);
        },
      },
      {
        title: 'agrees with a read after many changes',
        run: async (scene) => {
          await scene.join();
          for (let at = 0; at < 12; at++) {
            strangersBid(scene, 4_000 - 100 * (at % 3), 100 * (at + 1));
            strangersAsk(scene, 6_000 + 100 * (at % 4), 100 * (at + 1));
          }
          strangersAsk(scene, 3_900, 2_500);
          await booksAgree(scene);
        },
      },
      {
        title: 'shows own shares in a read',
        missing: ({ abilities }) => (abilities.ownShares ? null : 'reads do not say whose shares they show'),
        run: async (scene) => {
          await scene.join();
          strangersBid(scene, 4_500, 700);
          await scene.create(BID);
          const { bids, ownBids } = await scene.readBook();
          expect(bids.shares).toEqual([1_700]);
          expect(ownBids).toEqual([1_000]);
        },
      },
    ],
  ],
  [
    'gap',
    [
      {
        title: 'a lost book message is noticed, or a read shows it',
        run: async (scene) => {
          await scene.join();
          scene.makeMarket();
          await bookIs(scene, ['4000 x 10000'], ['6000 x 10000']);
          await scene.venue.loseMessages(1);
          strangersBid(scene, 4_100, 500);
          if (scene.venue.abilities.gapsSeenBy === 'reads') {
            const [bids] = sidesOf(await scene.readBook());
            expect(bids).toEqual(['4100 x 500', '4000 x 10000']);
          } else {
            strangersBid(scene, 4_200, 500);
            await bookIs(scene, ['4200 x 500', '4100 x 500', '4000 x 10000'], ['6000 x 10000']);
          }
        },
      },
      {
        title: 'an order whose end the feed lost is told anew, or found by a listing',
        run: async (scene) => {
          await scene.join();
          const { orderId: id } = await scene.create(BID);
          await hears(scene, id, 'open');
          await scene.venue.loseMessages(1);
          strangersAsk(scene, BID.price, BID.shares);
          const { markets, eventId } = scene.venue;
          const places = new Map([[id, { marketId: markets[0], eventId }]]);
          const listing = await scene.ask({ kind: 'read-orders', known: { places, pages: 4 } });
          const { orders, ended } = bodyOf(listing, 'read-orders');
          expect(orders).toEqual([]);
          expect(ended).toMatchObject([{ orderId: id, status: 'filled' }]);
          if (scene.venue.abilities.gapsSeenBy === 'sequence') await hears(scene, id, 'filled');
        },
      },
    ],
  ],
  [
    'tick change',
    [
      {
        title: 'the book is told on the new grid',
        missing: ({ abilities }) => (abilities.tickChanges ? null : 'the grid of a market stays'),
        run: async (scene) => {
          await scene.join();
          scene.makeMarket();
          scene.venue.setTick(scene.venue.markets[0], 50);
          strangersBid(scene, 4_050, 500);
          await bookIs(scene, ['4050 x 500'], []);
          const { eventId, markets } = scene.venue;
          const { event } = bodyOf(await scene.ask({ kind: 'read-event', eventId }), 'read-event');
          expect(event.markets.find(({ id }) => id === markets[0])?.tickUnits).toBe(50);
        },
      },
    ],
  ],
  [
    'order life',
    [
      {
        title: 'answer and feed tell of the same order in the same terms',
        run: async (scene) => {
          await scene.join();
          const report = await scene.create({ ...BID, position: 'short' });
          await hears(scene, report.orderId, 'open');
          const terms = { side: 'bid', position: 'short', price: 4_500, requested: 1_000, currency: 'OOM' };
          expect(report).toMatchObject(terms);
          expect(scene.reportsOf(report.orderId).at(-1)).toMatchObject(terms);
          expect(standing(scene)).toEqual(['ask 1000 at 5500']);
        },
      },
      {
        title: 'the feed before the answer',
        run: async (scene) => {
          await scene.join();
          await scene.venue.delayAnswers(300);
          scene.submit(scene.creation(BID));
          await scene.venue.until('the feed tells', () => scene.all('order').length > 0);
          expect(scene.answers).toEqual([]);
          await scene.venue.until('the answer', () => scene.answers.length === 1);
          const [item] = itemsOf(scene.answers[0]!);
          expect(item).toMatchObject({ ok: true, value: { orderId: scene.all('order')[0]!.report.orderId } });
        },
      },
      {
        title: 'the answer before the feed',
        run: async (scene) => {
          await scene.join();
          await scene.venue.delayMessages(300);
          const report = await scene.create(BID);
          expect(scene.reportsOf(report.orderId)).toEqual([]);
          await hears(scene, report.orderId, 'open');
        },
      },
      {
        title: 'messages that come twice and in any order lead to the same end',
        run: async (scene) => {
          await scene.join();
          await scene.venue.jumbleMessages(true);
          const report = await scene.create(BID);
          for (let part = 0; part < 4; part++) strangersAsk(scene, BID.price, 200);
          bodyOf(await scene.ask(cancelOf(report.orderId)), 'cancel-orders');
          await hears(scene, report.orderId, 'canceled');
          await scene.venue.pass(200);
          const most = Math.max(...scene.reportsOf(report.orderId).map(({ filled }) => filled ?? 0));
          expect(most).toBe(800);
          expect(standing(scene)).toEqual([]);
        },
      },
      {
        title: 'fills are cumulative, with the average price of the position',
        run: async (scene) => {
          await scene.join();
          const { orderId: id } = await scene.create({ position: 'short', price: 4_500, shares: 1_000 });
          strangersBid(scene, 5_500, 300);
          await hears(scene, id, 'partial_filled');
          expect(scene.reportsOf(id).at(-1)).toMatchObject({ filled: 300, averageFillPrice: 0.45 });
          strangersBid(scene, 5_500, 700);
          await hears(scene, id, 'filled');
          expect(scene.reportsOf(id).at(-1)).toMatchObject({ filled: 1_000, averageFillPrice: 0.45 });
        },
      },
      {
        title: 'an order that takes is filled by its answer or by the feed',
        missing: ({ abilities }) => (abilities.postOnly ? 'every order rests' : null),
        run: async (scene) => {
          await scene.join();
          scene.makeMarket();
          const { orderId: id } = await scene.create({ price: 6_000, shares: 1_000 });
          await hears(scene, id, 'filled');
        },
      },
      {
        title: 'an order that would take is refused',
        missing: ({ abilities }) => (abilities.postOnly ? null : 'every order may take'),
        run: async (scene) => {
          await scene.join();
          scene.makeMarket();
          expect(await refusal(scene, { price: 6_000, shares: 1_000 })).toBe('would-take');
          expect(standing(scene)).toEqual([]);
        },
      },
      {
        title: 'a cancel that a fill overtook says so',
        run: async (scene) => {
          await scene.join();
          const { orderId: id } = await scene.create(BID);
          strangersAsk(scene, BID.price, BID.shares);
          const { items } = bodyOf(await scene.ask(cancelOf(id)), 'cancel-orders');
          expect(meaningOf(items[0])).toMatch(NO_CANCEL);
          await hears(scene, id, 'filled');
        },
      },
      {
        title: 'a cancel after a part of a fill keeps the part',
        run: async (scene) => {
          await scene.join();
          const { orderId: id } = await scene.create(BID);
          strangersAsk(scene, BID.price, 400);
          expect(bodyOf(await scene.ask(cancelOf(id)), 'cancel-orders').items).toEqual([
            { ok: true, value: id },
          ]);
          await hears(scene, id, 'canceled');
          expect(scene.reportsOf(id).at(-1)).toMatchObject({ filled: 400 });
        },
      },
      {
        title: 'a sale takes from what is held',
        run: async (scene) => {
          await scene.join();
          await scene.buy('long', 4_500, 1_000);
          const report = await scene.create({ side: 'ask', price: 5_500, shares: 600 });
          expect(report).toMatchObject({ side: 'ask', position: 'long' });
          strangersBid(scene, 5_500, 600);
          await hears(scene, report.orderId, 'filled');
          expect(await scene.held()).toEqual({ long: 400, short: 0 });
        },
      },
      {
        title: 'a sale of what is not held is refused as want of funds',
        run: async (scene) => {
          expect(await refusal(scene, { side: 'ask', price: 5_500, shares: 600 })).toBe('no-funds');
        },
      },
      {
        title: 'a price off the grid is named as the fault',
        run: async (scene) => {
          const [item] = itemsOf(await scene.ask(scene.creation({ price: 4_555, shares: 1_000 })));
          expect(item).toMatchObject({ ok: false, means: 'invalid', fields: ['price'] });
        },
      },
      {
        title: 'an order beyond the cash is refused as want of funds',
        run: async (scene) => {
          expect(await refusal(scene, { price: 9_000, shares: 990_000_000 })).toMatch(/no-funds|bad-amount/);
        },
      },
      {
        title: 'an order in a halted market is refused as such',
        run: async (scene) => {
          scene.venue.setTrading(scene.venue.markets[0], false);
          expect(await refusal(scene, BID)).toBe('market-closed');
          scene.venue.setTrading(scene.venue.markets[0], true);
          expect(await refusal(scene, { ...BID, shares: 900 })).toBe('accepted');
        },
      },
      {
        title: 'one bad order of a batch spoils no other',
        run: async (scene) => {
          const creation = scene.creation(
            BID,
            { price: 4_555, shares: 1_000 },
            { price: 4_400, shares: 500 },
          );
          const items = itemsOf(await scene.ask(creation));
          expect(items.map(({ ok }) => ok)).toEqual([true, false, true]);
          expect(standing(scene)).toEqual(['bid 1000 at 4500', 'bid 500 at 4400']);
        },
      },
      {
        title: 'the largest batch goes in one request',
        run: async (scene) => {
          const { create } = scene.venue.profile.batches;
          const orders = Array.from({ length: create }, (_, at) => ({
            price: 100 * (at + 1),
            shares: 1_000,
          }));
          expect(itemsOf(await scene.ask(scene.creation(...orders)))).toHaveLength(create);
          expect(scene.venue.standing()).toHaveLength(create);
        },
      },
      {
        title: 'an open order is changed',
        missing: changes,
        run: async (scene) => {
          await scene.join();
          const report = await scene.create(BID);
          const { items } = bodyOf(await scene.ask(changeOf(scene, report, 4_400)), 'replace-orders');
          expect(items).toMatchObject([{ ok: true, value: { price: 4_400, requested: 1_000 } }]);
          await hears(scene, report.orderId, 'canceled');
          expect(standing(scene)).toEqual(['bid 1000 at 4400']);
        },
      },
      {
        title: 'an order that has traded is not changed',
        missing: changes,
        run: async (scene) => {
          const report = await scene.create(BID);
          strangersAsk(scene, BID.price, 400);
          const { items } = bodyOf(await scene.ask(changeOf(scene, report, 4_400)), 'replace-orders');
          expect(items).toMatchObject([{ ok: false }]);
          expect(standing(scene)).toEqual(['bid 600 at 4500']);
        },
      },
      {
        title: 'a listing shows open orders and those filled in part, in their terms',
        run: async (scene) => {
          const one = await scene.create(BID);
          const other = await scene.create({ position: 'short', price: 3_000, shares: 500 });
          strangersAsk(scene, BID.price, 400);
          const { orders } = await scene.read('read-orders');
          expect(orders).toHaveLength(2);
          expect(orders.find(({ orderId: id }) => id === one.orderId)).toMatchObject({
            status: 'partial_filled',
            position: 'long',
            price: 4_500,
          });
          expect(orders.find(({ orderId: id }) => id === other.orderId)).toMatchObject({
            status: 'open',
            position: 'short',
            price: 3_000,
          });
        },
      },
    ],
  ],
  [
    'lost answers',
    [
      {
        title: 'a create whose answer was lost may have happened',
        run: async (scene) => {
          await scene.venue.loseAnswer('create');
          expect(failureOf(await scene.ask(scene.creation(BID)))).toMatchObject({ kind: 'unknown' });
          expect(standing(scene)).toEqual(['bid 1000 at 4500']);
        },
      },
      {
        title: 'sent again under its id it makes no second order, and the answer names the first',
        run: async (scene) => {
          await scene.venue.loseAnswer('create');
          const creation = scene.creation(BID, { price: 4_400, shares: 500 });
          const { requestId } = await scene.ask(creation);
          const items = itemsOf(await scene.ask(creation, requestId));
          expect(items.map(({ ok }) => ok)).toEqual([true, true]);
          const ids = items.map((item) => (item.ok ? item.value.orderId : null));
          expect(byName(scene.venue.standing().map(({ id }) => orderId(id)))).toEqual(byName(ids));
        },
      },
      {
        title: 'sent again after it was filled it makes no second order',
        run: async (scene) => {
          await scene.venue.loseAnswer('create');
          const { requestId } = await scene.ask(scene.creation(BID));
          strangersAsk(scene, BID.price, BID.shares);
          const [item] = itemsOf(await scene.ask(scene.creation(BID), requestId));
          expect(item).toMatchObject({ ok: true });
          expect(standing(scene)).toEqual([]);
        },
      },
      {
        title: 'a change whose answer was lost is sent again and happens once',
        missing: changes,
        run: async (scene) => {
          const report = await scene.create(BID);
          await scene.venue.loseAnswer('replace');
          const change = changeOf(scene, report, 4_400);
          const { requestId } = await scene.ask(change);
          const { items } = bodyOf(await scene.ask(change, requestId), 'replace-orders');
          expect(items).toMatchObject([{ ok: true }]);
          expect(standing(scene)).toEqual(['bid 1000 at 4400']);
        },
      },
      {
        title:
          'a cancel whose answer was lost has happened, and sent again says that there is nothing to cancel',
        run: async (scene) => {
          const { orderId: id } = await scene.create(BID);
          await scene.venue.loseAnswer('cancel');
          expect(failureOf(await scene.ask(cancelOf(id)))).toMatchObject({ kind: 'unknown' });
          expect(standing(scene)).toEqual([]);
          const { items } = bodyOf(await scene.ask(cancelOf(id)), 'cancel-orders');
          expect(meaningOf(items[0])).toMatch(NO_CANCEL);
        },
      },
    ],
  ],
  [
    'cancel scopes',
    [
      {
        title: 'by ids: these and no others',
        run: async (scene) => {
          const one = await scene.create(BID);
          await scene.create({ price: 4_400, shares: 500 });
          const { items } = bodyOf(await scene.ask(cancelOf(one.orderId, orderId(987_654))), 'cancel-orders');
          expect(meaningOf(items[0])).toBe('accepted');
          expect(meaningOf(items[1])).toMatch(/not-found|unstated/);
          expect(standing(scene)).toEqual(['bid 500 at 4400']);
        },
      },
      {
        title: 'a market: all orders there and none elsewhere',
        missing: scope('market'),
        run: async (scene) => {
          const { eventId, markets } = scene.venue;
          const ids = [
            await scene.create(BID),
            await scene.create({ position: 'short', price: 4_000, shares: 500 }),
          ];
          await scene.create({ ...BID, market: markets[1] });
          const cancel = {
            kind: 'cancel-scope',
            scope: { kind: 'market', eventId, marketId: markets[0] },
          } as const;
          const { canceledIds } = bodyOf(await scene.ask(cancel), 'cancel-scope');
          expect(byName(canceledIds)).toEqual(byName(ids.map((one) => one.orderId)));
          expect(scene.venue.standing().map(({ marketId }) => marketId)).toEqual([markets[1]]);
        },
      },
      {
        title: 'an event: all orders of its markets',
        missing: scope('event'),
        run: async (scene) => {
          const { eventId, markets } = scene.venue;
          await scene.create(BID);
          await scene.create({ ...BID, market: markets[1] });
          const cancel = { kind: 'cancel-scope', scope: { kind: 'event', eventId } } as const;
          expect(bodyOf(await scene.ask(cancel), 'cancel-scope').canceledIds).toHaveLength(2);
          expect(standing(scene)).toEqual([]);
        },
      },
    ],
  ],
  [
    'holdings and cash',
    [
      {
        title: 'a fill is told as a holding, and read as the same',
        run: async (scene) => {
          await scene.join();
          await scene.buy('short', 4_500, 1_000);
          const isTold = (): boolean =>
            scene
              .all('holding')
              .some(({ holding }) => holding.position === 'short' && holding.shares === 1_000);
          await scene.venue.until('the holding is told', isTold);
          expect(await scene.held()).toEqual({ long: 0, short: 1_000 });
          const { holdings } = await scene.read('read-holdings');
          expect(holdings).toMatchObject([{ position: 'short', shares: 1_000, purchasesAmount: 4.5 }]);
        },
      },
      {
        title: 'long and short bought are both held, or cancel each other',
        run: async (scene) => {
          await scene.join();
          await scene.buy('long', 4_500, 1_000);
          await scene.buy('short', 4_500, 400);
          const isNet = scene.venue.profile.legs === 'net';
          expect(await scene.held()).toEqual(isNet ? { long: 600, short: 0 } : { long: 1_000, short: 400 });
        },
      },
      {
        title: 'an open bid locks its cash, and a cancel frees it',
        run: async (scene) => {
          await scene.join();
          const before = await scene.cash();
          const { orderId: id } = await scene.create({ price: 5_000, shares: 1_000 });
          const locked = before - (await scene.cash());
          expect(locked).toBeGreaterThanOrEqual(5_000_000);
          await scene.ask(cancelOf(id));
          expect(await scene.cash()).toBe(before);
        },
      },
      {
        title: 'a change of cash is told',
        run: async (scene) => {
          await scene.join();
          await scene.buy('long', 4_500, 1_000);
          await scene.venue.until('the change is told', () => scene.all('balance').length > 0);
        },
      },
      {
        title: 'a deposit is told and read',
        run: async (scene) => {
          await scene.join();
          const before = await scene.cash();
          scene.venue.deposit(7_000_000);
          await scene.venue.until('the deposit is told', () => scene.all('deposit').length > 0);
          expect(scene.all('deposit')).toMatchObject([{ amount: 7_000_000, currency: 'OOM' }]);
          expect((await scene.cash()) - before).toBe(7_000_000);
        },
      },
    ],
  ],
  [
    'settlement',
    [
      {
        title: 'long: a long share pays 1',
        missing: settles('long'),
        run: (scene) => settled(scene, 'long', ({ bought, end }) => expect(end - bought).toBe(1_000 * WHOLE)),
      },
      {
        title: 'short: a long share pays nothing',
        missing: settles('short'),
        run: (scene) => settled(scene, 'short', ({ bought, end }) => expect(end).toBe(bought)),
      },
      {
        title: 'void: what was paid comes back',
        missing: settles('void'),
        run: (scene) => settled(scene, 'void', ({ start, end }) => expect(end).toBe(start)),
      },
      {
        title: 'a reversal takes the payout back, and the shares are held again',
        missing: settles('reversal'),
        run: async (scene) => {
          await scene.join();
          await scene.buy('long', 4_500, 1_000);
          const bought = await scene.cash();
          scene.venue.settle(scene.venue.markets[0], 'long');
          scene.venue.reverse(scene.venue.markets[0]);
          expect(await scene.held()).toEqual({ long: 1_000, short: 0 });
          expect(await scene.cash()).toBe(bought);
          const { eventId } = scene.venue;
          const { event } = bodyOf(await scene.ask({ kind: 'read-event', eventId }), 'read-event');
          expect(event.status).toBe('reversed');
        },
      },
      {
        title: 'open orders of a settled market are told to be gone',
        run: async (scene) => {
          await scene.join();
          const { orderId: id } = await scene.create(BID);
          scene.venue.settle(scene.venue.markets[0], 'short');
          await hears(scene, id, 'canceled');
          expect(standing(scene)).toEqual([]);
        },
      },
    ],
  ],
  [
    'rate limit',
    [
      {
        title: 'too many requests is a refusal that says how long to wait, and nothing leaves until then',
        run: async (scene) => {
          await scene.venue.throttle(1_000);
          const failure = failureOf(await scene.ask(scene.creation(BID)));
          expect(failure).toMatchObject({ kind: 'refused', means: 'throttled', retryAfterMs: 1_000 });
          expect(failureOf(await scene.ask(scene.creation(BID)))).toMatchObject({ kind: 'not-sent' });
          await scene.venue.pass(1_100);
          expect(await refusal(scene, BID)).toBe('accepted');
        },
      },
      {
        title: 'without a word how long, a default pause is kept',
        missing: ({ abilities }) =>
          abilities.throttlesWithoutTerm ? null : 'every refusal of this kind says how long',
        run: async (scene) => {
          await scene.venue.throttle(null);
          const failure = failureOf(await scene.ask(scene.creation(BID)));
          expect(failure).toMatchObject({ kind: 'refused', means: 'throttled', retryAfterMs: null });
          expect(failureOf(await scene.ask(scene.creation(BID)))).toMatchObject({ kind: 'not-sent' });
        },
      },
    ],
  ],
  [
    'clock',
    [
      {
        title: 'a request signed outside of the window is refused as too late, and had no effect',
        run: async (scene) => {
          await scene.read('read-balances');
          await scene.venue.signLate(true);
          expect(failureOf(await scene.ask(scene.creation(BID)))).toMatchObject({
            kind: 'refused',
            means: 'too-late',
          });
          await scene.venue.signLate(false);
          expect(standing(scene)).toEqual([]);
        },
      },
      {
        title:
          'where our clock is wrong, requests leave all the same, and a listing dates orders by our clock',
        clockAheadMs: 90_000,
        run: async (scene) => {
          await scene.ask({ kind: 'read-balances' });
          await scene.ask({ kind: 'read-balances' });
          const { orderId: id } = await scene.create(BID);
          const { orders } = await scene.read('read-orders');
          expect(orders.map((one) => one.orderId)).toEqual([id]);
          const offMs = Math.abs(orders[0]!.createdAt! - scene.venue.clock.now()) / 1_000;
          expect(offMs).toBeLessThan(5_000);
        },
      },
      {
        title: 'an order with an end of its own is placed with it',
        missing: ({ profile: { orders } }) => (orders.expire ? null : 'orders have no end of their own'),
        run: async (scene) => {
          await scene.join();
          const expiresAt = (scene.venue.clock.now() + 130_000_000) as Micros;
          const report = await scene.create({ ...BID, expiresAt });
          expect(report.expiresAt).toBe(expiresAt);
        },
      },
    ],
  ],
];

let count = 0;
/** Every case with its number, in the order of the list. */
export const CASES: readonly Case[] = SECTIONS.flatMap(([section, cases]) =>
  cases.map((one): Case => ({ ...one, section, id: `V-${String(++count).padStart(2, '0')}` })),
);
