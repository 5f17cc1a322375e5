/** How each assumption is tried, with the least play-money orders, all of them cancelled afterwards. */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../core/ports/clock.js';
import { type EventId, type MarketId, orderId } from '../../domain/ids.js';
import { PRICE_ONE } from '../../domain/units.js';
import type { VenueSettings } from '../../settings/index.js';
import { afterDelay } from '../../storage/clocks/system-clock.js';
import { userChannel } from '../../venues/futuur/protocol/realtime/channels.js';
import { told } from '../offered-markets.js';
import { type Answer, Asker, isNoAnswer, shifted } from './asker.js';
import type { ProbeName } from './assumptions.js';

export type Verdict = 'verified' | 'differs' | 'untested';

/** What a probe found. */
export interface Found {
  readonly verdict: Verdict;
  readonly text: string;
}

/** Where it is tried. */
export interface Trial {
  readonly venue: VenueSettings;
  readonly clock: Clock;
  readonly eventId: EventId;
  readonly marketId: MarketId;
  /** Price units per tick. */
  readonly tickUnits: number;
  /** Least whole shares whose price is accepted at the lowest tick. */
  readonly shares: number;
}

type Member = string | number | null | boolean;
type OrderBody = Readonly<Record<string, Member>>;

/** An order that nothing else cancels goes by itself. */
const EXPIRES_AFTER_MS = 600_000;
const UNAUTHORIZED = 401;
const NO_ORDER = orderId('999999999999999');

/** Asks about one market. What came to stand there since it began it can take away. */
export class Probing {
  /** Own orders that stood there before. */
  #before: ReadonlySet<number> = new Set();
  #count = 0;

  private constructor(readonly trial: Trial) {}

  /** @throws VenueUnreachableError, UsageError when orders cannot be listed */
  static async start(trial: Trial): Promise<Probing> {
    const probing = new Probing(trial);
    probing.#before = new Set((await probing.active()).keys());
    return probing;
  }

  /** @throws whatever a probe meets that it does not judge */
  try(name: ProbeName): Promise<Found> {
    return PROBES[name](this);
  }

  /** One request with a client of its own, so that nothing learned before changes it. */
  async with<Result>(
    use: (asker: Asker) => Promise<Result>,
    changes: { readonly clock?: Clock } = {},
  ): Promise<Result> {
    const { venue, clock } = this.trial;
    const asker = new Asker({ venue, clock, ...changes });
    try {
      return await use(asker);
    } finally {
      await asker.close();
    }
  }

  batch(orders: readonly OrderBody[], key?: string): Promise<Answer> {
    return this.with((asker) => asker.post('batchCreate', { orders }, key));
  }

  update(item: OrderBody): Promise<Answer> {
    return this.with((asker) => asker.post('batchUpdate', { orders: [item] }));
  }

  /** A bid at the lowest price, which rests behind everybody. Its shares keep one body from being the same as another. */
  order(changes: OrderBody = {}): OrderBody {
    const { eventId, marketId, tickUnits, shares } = this.trial;
    this.#count += 1;
    return {
      market: Number(marketId),
      event: Number(eventId),
      side: 'bid',
      position: 'long',
      currency: 'OOM',
      price: tickUnits / PRICE_ONE,
      shares: (shares + this.#count / 100).toFixed(2),
      expired_at: isoIn(this.trial, EXPIRES_AFTER_MS),
      ...changes,
    };
  }

  /** Ids of own active orders of the market. @throws VenueUnreachableError, UsageError */
  async active(): Promise<ReadonlyMap<number, { readonly shares: number }>> {
    const listed = await this.with((asker) => asker.rest.activeOrders());
    const own = told(listed, 'the orders of the account').filter(
      (one) => one.marketId === this.trial.marketId,
    );
    return new Map(own.map((one) => [Number(one.orderId), { shares: (one.requested ?? 0) / 100 }]));
  }

  /** Cancels what stands there since it began, also what no answer told of. @returns whether the listing shows that it is gone */
  async clear(): Promise<boolean> {
    try {
      const ids = await this.#ours();
      if (ids.length === 0) return true;
      await this.with((asker) => asker.rest.batchCancel(ids.map((id) => orderId(id))));
      return (await this.#ours()).length === 0;
    } catch {
      return false;
    }
  }

  async #ours(): Promise<readonly number[]> {
    return [...(await this.active()).keys()].filter((id) => !this.#before.has(id));
  }
}

const verified = (text: string): Found => ({ verdict: 'verified', text });
const differs = (text: string): Found => ({ verdict: 'differs', text });
const untested = (text: string): Found => ({ verdict: 'untested', text });
/** @param before answers that it rests on, too */
function judged(isAsAssumed: boolean, answer: Answer, ...before: readonly Answer[]): Found {
  const silent = [...before, answer].find(isNoAnswer);
  if (silent !== undefined) return untested(silent.text);
  return isAsAssumed ? verified(answer.text) : differs(answer.text);
}

/** What stands at a path such as `results.0.order.id`. */
const at = (body: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | null | undefined)?.[name], body);

function numberAt(body: unknown, path: string): number | null {
  const value = at(body, path);
  return typeof value === 'number' ? value : null;
}

const createdIn = ({ body }: Answer): readonly (number | null)[] => {
  const results = at(body, 'results');
  return Array.isArray(results) ? results.map((one) => numberAt(one, 'order.id')) : [];
};

const isItemRefused = (answer: Answer): boolean => at(answer.body, 'results.0.success') === false;
const isError = (answer: Answer, code: string): boolean => at(answer.body, 'error') === code;
const errorsOf = (answer: Answer): string => JSON.stringify(at(answer.body, 'results.0.errors')) ?? '';

/** A batch of one order that is refused as an item, or the whole batch. */
const refusesItem = async (probing: Probing, changes: OrderBody): Promise<Found> => {
  const answer = await probing.batch([probing.order(changes)]);
  return judged(isItemRefused(answer) || (answer.status >= 400 && answer.status !== UNAUTHORIZED), answer);
};

/** An order that rests, or why there is none. */
async function resting(
  probing: Probing,
): Promise<{ readonly id: number; readonly order: OrderBody } | Found> {
  const order = probing.order();
  const answer = await probing.batch([order]);
  const [id] = createdIn(answer);
  return id === null || id === undefined
    ? untested(`no order could be placed: ${answer.text}`)
    : { id, order };
}

const SHORTLY_MS = 3_000;
const wait = (ms: number): Promise<void> => new Promise((resolve) => void afterDelay(ms, resolve));
const isoIn = ({ clock }: Trial, ms: number): string => new Date(clock.now() / 1_000 + ms).toISOString();

const PROBES: Readonly<Record<ProbeName, (probing: Probing) => Promise<Found>>> = {
  'nested-signature': async (probing) => {
    const answer = await probing.update({ id: Number(NO_ORDER), price: '0.5', shares: '1' });
    return judged(answer.status !== UNAUTHORIZED, answer);
  },
  'repeated-query': (probing) =>
    probing.with(async (asker) => {
      await asker.rest.wire.call({
        endpoint: 'balances',
        path: '/me/balances/',
        query: [
          ['currencies', 'OOM'],
          ['currencies', 'USDC'],
        ],
        body: null,
        read: (value) => ({ ok: true, value }),
      });
      return judged(asker.first.status !== UNAUTHORIZED, asker.first);
    }),
  'empty-body': (probing) =>
    probing.with(async (asker) => {
      await asker.rest.cancelOrder(NO_ORDER);
      return judged(asker.first.status !== UNAUTHORIZED && asker.first.status >= 400, asker.first);
    }),
  'clock-window': async (probing) => {
    const { venue, clock } = probing.trial;
    const within = async (seconds: number): Promise<Answer> =>
      probing.with(
        async (asker) => {
          await asker.rest.me();
          return asker.first;
        },
        { clock: shifted(clock, seconds) },
      );
    const [inside, outside] = [await within(-venue.clockWindowS + 5), await within(-venue.clockWindowS - 10)];
    const isRight = inside.status === 200 && outside.status === UNAUTHORIZED;
    return judged(isRight, { ...outside, text: `within ${inside.status}, beyond ${outside.text}` }, inside);
  },
  'error-form': (probing) =>
    probing.with(async (asker) => {
      await asker.rest.cancelOrder(NO_ORDER);
      const { body } = asker.first;
      return judged(
        typeof at(body, 'error') === 'string' && typeof at(body, 'detail') === 'string',
        asker.first,
      );
    }),
  'empty-batch': async (probing) => {
    const answer = await probing.batch([]);
    return judged(answer.status === 400, answer);
  },
  'bad-item': async (probing) => {
    const answer = await probing.batch([probing.order({ shares: '0' }), probing.order()]);
    return judged(isItemRefused(answer) && at(answer.body, 'results.1.success') === true, answer);
  },
  'foreign-event': async (probing) => {
    const answer = await probing.batch([probing.order({ event: 999_999_999 })]);
    return judged(at(answer.body, 'results.0.errors.event') !== undefined, answer);
  },
  duplicate: async (probing) => {
    const order = probing.order({ shares: '0' });
    const first = await probing.batch([order]);
    const again = await probing.batch([order]);
    return judged(again.status === 400 && isError(again, DUPLICATED), again, first);
  },
  idempotency: async (probing) => {
    const [order, key] = [probing.order(), randomUUID()];
    const [[first], again] = [
      createdIn(await probing.batch([order], key)),
      await probing.batch([order], key),
    ];
    if (first === null || first === undefined) return untested('no order could be placed');
    const [second] = createdIn(again);
    return judged(first === second, { ...again, text: `order ${first}, then ${again.text}` });
  },
  mirror: async (probing) => {
    const { tickUnits, marketId, venue } = probing.trial;
    const order = probing.order({ position: 'short' });
    const answer = await probing.batch([order]);
    if (!createdIn(answer).some((id) => id !== null))
      return untested(`no order could be placed: ${answer.text}`);
    await wait(venue.bookCacheMs);
    const book = await probing.with((asker) => asker.rest.book(marketId, 'play_money'));
    if (!book.ok) return untested('the book cannot be read');
    const isThere = book.value.asks.prices.includes((PRICE_ONE - tickUnits) as never);
    return judged(isThere, {
      ...answer,
      text: `asks at ${book.value.asks.prices.join(', ')} of ${PRICE_ONE}`,
    });
  },
  grid: (probing) => refusesItem(probing, { price: (1.5 * probing.trial.tickUnits) / PRICE_ONE }),
  'share-grid': (probing) => refusesItem(probing, { shares: '1.001' }),
  conflict: async (probing) => {
    const placed = await resting(probing);
    if ('verdict' in placed) return placed;
    const { tickUnits } = probing.trial;
    const answer = await probing.batch([
      probing.order({ position: 'short', price: 1 - tickUnits / PRICE_ONE }),
    ]);
    return judged(errorsOf(answer).includes('OrderBookConflictingOrders'), answer);
  },
  'past-expiry': (probing) => refusesItem(probing, { expired_at: isoIn(probing.trial, -60_000) }),
  expired: async (probing) => {
    const answer = await probing.batch([probing.order({ expired_at: isoIn(probing.trial, SHORTLY_MS) })]);
    const [id] = createdIn(answer);
    if (id === null || id === undefined) return untested(`no order could be placed: ${answer.text}`);
    await wait(2 * SHORTLY_MS);
    return judged(!(await probing.active()).has(id), {
      ...answer,
      text: `order ${id}, twice its time later`,
    });
  },
  'update-size': async (probing) => {
    const placed = await resting(probing);
    if ('verdict' in placed) return placed;
    const shares = (Number(placed.order['shares']) + 1).toFixed(2);
    const answer = await probing.update({ id: placed.id, price: String(placed.order['price']), shares });
    const id = numberAt(answer.body, '0.order.id');
    if (id === null) return untested(answer.text);
    const found = (await probing.active()).get(id)?.shares ?? 0;
    return judged(found === Number(shares), { ...answer, text: `${found} shares, asked for ${shares}` });
  },
  'failed-update': async (probing) => {
    const placed = await resting(probing);
    if ('verdict' in placed) return placed;
    const answer = await probing.update({ id: placed.id, price: String(placed.order['price']), shares: '0' });
    const isThere = (await probing.active()).has(placed.id);
    return judged(at(answer.body, '0.success') === false && isThere, answer);
  },
  'private-channel': (probing) =>
    probing.with(async (asker) => {
      const me = await asker.rest.me();
      if (!me.ok) return untested('the account is not known');
      await asker.rest.authorizeChannel({
        channel_name: userChannel(me.value.id),
        socket_id: '1234.5678',
      });
      return judged(typeof at(asker.last.body, 'auth') === 'string', {
        ...asker.last,
        text: `${asker.last.status}`,
      });
    }),
};

const DUPLICATED = 'wager_action_duplicated';
