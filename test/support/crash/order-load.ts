/** Clients that place and cancel orders until their exchange is gone, and remember what it acknowledged. */
import { VenueClient, type WireAnswer } from '../wire/venue-client.js';

const CLIENTS = 8;
const BATCH = 5;
const MAKER = { publicKey: 'pk_maker', privateKey: 'sk_maker' };
const TAKER = { publicKey: 'pk_taker', privateKey: 'sk_taker' };

type OrderBody = Readonly<Record<string, string | number>>;

/** One request under its idempotency key, and what the exchange said to it. */
interface Placing {
  readonly key: string;
  readonly account: 'maker' | 'taker';
  readonly orders: readonly OrderBody[];
  /** null: not answered yet. */
  ids: readonly number[] | null;
}

export class OrderLoad {
  readonly placings: Placing[] = [];
  /** Orders whose cancel was answered with 204. */
  readonly cancelled = new Set<number>();
  #acknowledged = 0;
  #number = 0;
  #watch = { from: 0, done: (): void => undefined };

  /** Orders acknowledged so far. */
  get acknowledged(): number {
    return this.#acknowledged;
  }

  /** Resolves once so many more orders are acknowledged. */
  acknowledges(count: number): Promise<void> {
    return new Promise((done) => {
      this.#watch = { from: this.#acknowledged + count, done };
    });
  }

  /** Asks again, under the same keys, whatever was not answered; then sends until a connection fails. */
  async run(rest: string): Promise<void> {
    const unanswered = this.placings.filter(({ ids }) => ids === null);
    const sending = Promise.allSettled(
      Array.from({ length: CLIENTS }, async () => {
        for (;;) await this.#next(rest);
      }),
    );
    try {
      await this.#shared(unanswered, (placing) => this.#place(rest, placing));
    } catch (error) {
      requireGone(error);
    }
    for (const { reason } of (await sending) as PromiseRejectedResult[]) requireGone(reason);
  }

  /** Asks everything that is not answered yet, and once more what is. @returns placings that got another answer */
  async repeatAll(rest: string): Promise<number> {
    const before = this.placings.map(({ ids }) => ids);
    await this.#shared(this.placings, (placing) => this.#place(rest, placing));
    const isAnotherAnswer = (placing: Placing, index: number): boolean =>
      before[index] !== null && String(before[index]) !== String(placing.ids);
    return this.placings.filter(isAnotherAnswer).length;
  }

  /** Every client does its part, in order. */
  async #shared(placings: readonly Placing[], act: (placing: Placing) => Promise<void>): Promise<void> {
    const clients = Array.from({ length: CLIENTS }, async (_, client) => {
      for (let at = client; at < placings.length; at += CLIENTS) await act(placings[at]!);
    });
    await Promise.all(clients);
  }

  async #next(rest: string): Promise<void> {
    const number = ++this.#number;
    if (number % 7 === 0) return this.#cancelOne(rest, number);
    const account = number % 3 === 0 ? 'taker' : 'maker';
    const count = number % 5 === 0 ? BATCH : 1;
    const orders = Array.from({ length: count }, (_, item) => orderOf(account, number * BATCH + item));
    const placing: Placing = { key: `request ${number}`, account, orders, ids: null };
    this.placings.push(placing);
    await this.#place(rest, placing);
  }

  async #place(rest: string, placing: Placing): Promise<void> {
    const { key, account, orders } = placing;
    const client = new VenueClient(rest, account === 'maker' ? MAKER : TAKER);
    const sending = { headers: { 'Idempotency-Key': key } };
    const [only] = orders;
    const ids =
      orders.length === 1
        ? [required(await client.post('/orders/', only, sending), 201).number('id')]
        : idsOf(required(await client.post('/orders/batch/', { orders }, sending), 200));
    if (placing.ids === null) this.#count(ids.length);
    placing.ids = ids;
  }

  /** An order of the maker that may have been filled or cancelled before: then 400 or 404 is right. */
  async #cancelOne(rest: string, number: number): Promise<void> {
    const known = this.placings.filter(({ account, ids }) => account === 'maker' && ids !== null);
    const id = known[number % Math.max(known.length, 1)]?.ids?.[0];
    if (id === undefined) return;
    const answer = await new VenueClient(rest, MAKER).patch(`/orders/${id}/cancel/`);
    if (answer.status === 204) this.cancelled.add(id);
    else if (answer.status >= 500) throw new LoadError(answer.text);
  }

  #count(orders: number): void {
    this.#acknowledged += orders;
    if (this.#acknowledged >= this.#watch.from) this.#watch.done();
  }
}

/** The exchange answered, but wrongly. */
class LoadError extends Error {}

/** @throws the error when it is not that of a connection */
function requireGone(error: unknown): void {
  if (error instanceof LoadError) throw error;
}

function required(answer: WireAnswer, status: number): WireAnswer {
  if (answer.status === status) return answer;
  throw new LoadError(`${answer.status} ${answer.text}`);
}

const idsOf = (answer: WireAnswer): readonly number[] =>
  answer.list('results').map((_, index) => answer.number(`results.${index}.order.id`));

/** Orders of both accounts meet at some prices. The shares tell every order from every other. */
const orderOf = (account: 'maker' | 'taker', number: number): OrderBody => ({
  market: 11,
  side: 'bid',
  position: account === 'maker' ? 'long' : 'short',
  currency: 'OOM',
  price: ((account === 'maker' ? 20 : 55) + (number % 30)) / 100,
  shares: (100 + number) / 100,
});
