/** Harbour's client: signs, asks, and says what became of it. The gateway of `src/venues` does the rest. */
import type { Clock } from '../../../src/core/ports/clock.js';
import type { AnswerBody, RequestFailure } from '../../../src/domain/answers.js';
import type { ReadRequest, TradingRequest, VenueRequest } from '../../../src/domain/effects.js';
import { orderId } from '../../../src/domain/ids.js';
import { missedOrders, type OrderReport } from '../../../src/domain/orders.js';
import type { Micros, Money, Shares } from '../../../src/domain/units.js';
import { mapValue, type Outcome } from '../../../src/venues/outcome.js';
import type { Sending, VenueClient } from '../../../src/venues/port.js';
import type { HarbourLine, LineResult } from './line.js';
import {
  CURRENCY,
  eventDescription,
  holdingReports,
  itemOutcome,
  levelsOf,
  meaningOf,
  orderReport,
  placeItem,
} from './mapping.js';
import type { Ask, Envelope, Item, OrderMessage, Replies, Reply } from './messages.js';
import { signatureOf } from './service.js';

/** A smaller difference of clocks is not worth telling, in microseconds. */
const NOTICED_US = 2_000_000;

export interface HarbourClientOptions {
  readonly line: Pick<HarbourLine, 'request'>;
  readonly clock: Clock;
  readonly account: string;
  readonly secret: string;
  readonly timeoutMs: number;
}

type Answered<Body extends AnswerBody['kind']> = Promise<
  Outcome<Extract<AnswerBody, { readonly kind: Body }>>
>;

export class HarbourClient implements VenueClient {
  readonly #options: HarbourClientOptions;
  /** By how much the venue's clock is ahead, by its last answer, and how often ours had leapt by then. */
  #ahead = 0;
  #leaps = 0;

  constructor(options: HarbourClientOptions) {
    this.#options = options;
  }

  get venueAhead(): number {
    return Math.abs(this.#ahead) > NOTICED_US ? this.#ahead : 0;
  }

  canDate(): boolean {
    return (this.#options.clock.leaps ?? 0) === this.#leaps;
  }

  /** Signs a text with the venue's time. */
  sign(text: string): Envelope {
    const { clock, account, secret } = this.#options;
    const unsigned = { account, stamp: clock.now() + this.#ahead, text };
    return { ...unsigned, signature: signatureOf(secret, unsigned) };
  }

  performing() {
    return (request: VenueRequest, sending: Sending): Promise<Outcome<AnswerBody>> =>
      request.kind.startsWith('read-')
        ? this.#read(request as ReadRequest, sending)
        : this.#trade(request as TradingRequest, sending);
  }

  #trade(request: TradingRequest, sending: Sending): Promise<Outcome<AnswerBody>> {
    switch (request.kind) {
      case 'create-orders':
        return this.#create(request, sending);
      case 'replace-orders':
        return Promise.resolve(unsupported('Harbour changes no orders'));
      case 'cancel-orders':
        return this.#cancel(request, sending);
      case 'cancel-scope':
        return this.#cancelScope(request, sending);
    }
  }

  /** A name that is taken is that of an earlier copy: the order it made is the answer. */
  async #create(
    { orders }: Extract<TradingRequest, { kind: 'create-orders' }>,
    sending: Sending,
  ): Answered<'create-orders'> {
    const cids = orders.map((_order, index) => `${sending.key}-${index}`);
    const items = orders.map((order, index) => placeItem(order, cids[index]!));
    const placed = await this.#ask({ op: 'place', orders: items }, sending);
    if (!placed.ok) return placed;
    const taken = cids.filter((_cid, index) => isTaken(placed.value[index]!));
    const found = taken.length === 0 ? placed : await this.#ask({ op: 'find', cids: taken }, sending);
    if (!found.ok)
      return {
        ok: false,
        failure: { kind: 'unknown', reason: 'a copy was not found' },
        sentAt: placed.sentAt,
      };
    const earlier = taken.length === 0 ? [] : (found.value as readonly OrderMessage[]);
    const settled = placed.value.map((item, index): Item<OrderMessage> => {
      const copy = isTaken(item) ? earlier.find(({ cid }) => cid === cids[index]) : undefined;
      return copy === undefined ? item : { ok: true, value: copy };
    });
    return {
      ok: true,
      value: {
        kind: 'create-orders',
        items: settled.map((item) => itemOutcome(item, orderReport)),
        canceledIds: [],
      },
      sentAt: placed.sentAt,
    };
  }

  async #cancel(
    { orderIds }: Extract<TradingRequest, { kind: 'cancel-orders' }>,
    sending: Sending,
  ): Answered<'cancel-orders'> {
    const outcome = await this.#ask({ op: 'cancel', ids: orderIds }, sending);
    return mapValue(outcome, (items) => ({
      kind: 'cancel-orders',
      items: items.map((item) => itemOutcome(item, orderId)),
    }));
  }

  async #cancelScope(
    { scope }: Extract<TradingRequest, { kind: 'cancel-scope' }>,
    sending: Sending,
  ): Answered<'cancel-scope'> {
    if (scope.kind === 'event') return unsupported('Harbour cancels no events');
    const outcome = await this.#ask({ op: 'cancel-all', market: scope.marketId }, sending);
    return mapValue(outcome, (ids) => ({
      kind: 'cancel-scope',
      canceledIds: ids.map(orderId),
      processingIds: [],
    }));
  }

  async #read(request: ReadRequest, sending: Sending): Promise<Outcome<AnswerBody>> {
    switch (request.kind) {
      case 'read-orders':
        return this.#list(sending, request);
      case 'read-holdings':
        return mapValue(await this.#ask({ op: 'positions' }, sending), (positions) => ({
          kind: 'read-holdings',
          holdings: positions.flatMap(holdingReports).filter(({ shares }) => shares > 0),
        }));
      case 'read-balances':
        return mapValue(await this.#ask({ op: 'cash' }, sending), (cash) => ({
          kind: 'read-balances',
          balances: new Map([[CURRENCY, cash as Money]]),
        }));
      case 'read-book':
        return mapValue(
          await this.#ask({ op: 'book', market: request.marketId }, sending),
          ({ buys, sells }) => ({
            kind: 'read-book',
            marketId: request.marketId,
            mode: request.mode,
            bids: levelsOf(buys),
            asks: levelsOf(sells),
            ownBids: buys.map(([, , own]) => own as Shares),
            ownAsks: sells.map(([, , own]) => own as Shares),
            feePerShare: 0 as Money,
          }),
        );
      case 'read-event':
        return mapValue(await this.#ask({ op: 'event', event: request.eventId }, sending), (event) => ({
          kind: 'read-event',
          event: eventDescription(request.eventId, event),
        }));
    }
  }

  /** The open orders, and what became of known ones that are not among them. */
  async #list(
    sending: Sending,
    { known }: Extract<ReadRequest, { kind: 'read-orders' }>,
  ): Answered<'read-orders'> {
    const open = await this.#ask({ op: 'orders' }, sending);
    if (!open.ok) return open;
    const orders = open.value.map((order) => this.#dated(orderReport(order)));
    const missed = known === undefined ? null : missedOrders(known, orders);
    if (missed === null) return { ...open, value: { kind: 'read-orders', orders } };
    const found = await this.#ask({ op: 'find', ids: [...missed.ids] }, sending);
    const ended = found.ok ? found.value.map(orderReport) : 'unread';
    return { ...open, value: { kind: 'read-orders', orders, ended } };
  }

  /** One call. Only a worded refusal is a refusal; whatever else is no answer may have happened. */
  async #ask<Op extends Ask['op']>(
    ask: Extract<Ask, { readonly op: Op }>,
    sending: Sending,
  ): Promise<Outcome<Replies[Op]>> {
    const { line, clock, timeoutMs } = this.#options;
    const text = JSON.stringify(ask);
    let sentAt: Micros | null = null;
    const beforeFirstByte = (): void => {
      sending.beforeFirstByte(text);
      sentAt = clock.now();
    };
    const result = await line.request({ text: JSON.stringify(this.sign(text)), timeoutMs, beforeFirstByte });
    const reply = this.#heard(result);
    if (reply?.ok === true && sentAt !== null) return { ok: true, value: reply.value as Replies[Op], sentAt };
    return { ok: false, failure: failureOf(result, reply), sentAt };
  }

  /** Whoever reads a listing compares when orders were made with when he asked for them, by our clock. */
  #dated(report: OrderReport): OrderReport {
    const { createdAt } = report;
    return createdAt === null ? report : { ...report, createdAt: (createdAt - this.#ahead) as Micros };
  }

  #heard(result: LineResult): Reply | null {
    if (result.kind !== 'answered') return null;
    const reply = JSON.parse(result.text) as Reply;
    const { clock } = this.#options;
    this.#ahead = reply.clock - clock.now();
    this.#leaps = clock.leaps ?? 0;
    return reply;
  }
}

const isTaken = (item: Item<OrderMessage>): boolean => !item.ok && item.word === 'TAKEN_CID';

const TOO_MANY_REQUESTS = 429;
const BAD_REQUEST = 400;

function failureOf(result: LineResult, reply: Reply | null): RequestFailure {
  if (result.kind === 'not-sent') return { kind: 'not-sent', reason: result.reason };
  if (result.kind === 'lost') return { kind: 'unknown', reason: result.reason };
  if (reply === null || reply.ok) return { kind: 'unknown', reason: 'an answer to nothing' };
  const { word: code, text: detail, retryMs } = reply;
  const means = meaningOf(code);
  const status = means === 'throttled' ? TOO_MANY_REQUESTS : BAD_REQUEST;
  return { kind: 'refused', status, code, means, detail, retryAfterMs: retryMs };
}

const unsupported = (detail: string): Outcome<never> => ({
  ok: false,
  failure: {
    kind: 'refused',
    status: BAD_REQUEST,
    code: 'UNSUPPORTED',
    means: 'unsupported',
    detail,
    retryAfterMs: null,
  },
  sentAt: null,
});
