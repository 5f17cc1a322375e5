/**
 * What happens at Harbour, in the words of the venue's record, which the auditor reads: those of the bundled exchange.
 * Names become numbers: `M1001` is market 1001, `H-17` order 17.
 */
import type { BookView, ExchangeEvent, LedgerView, OrderView } from '../../../src/exchange/contract.js';
import * as listed from '../../../src/exchange/contract/ids.js';
import { eventChannel, userChannel } from '../../../src/venues/futuur/protocol/realtime/channels.js';
import { accountId, eventId } from '../../../src/domain/ids.js';
import { PRICE_ONE } from '../../../src/domain/units.js';
import type { EndpointName } from '../../../src/venues/futuur/protocol/rest/endpoints.js';
import type { AnswerText, Letter, VenueRecord } from '../simulation/venue-record.js';
import type { Told } from './feed.js';
import { accountTopic, type Harbour, type HarbourFill } from './harbour.js';
import type { LineObserver, LineResult } from './line.js';
import { eventStatusOf, holdingReports, marketStatusOf, orderReport } from './mapping.js';
import type {
  Ask,
  Envelope,
  Item,
  MarketMessage,
  OrderMessage,
  PlaceItem,
  PositionMessage,
  Replies,
  Reply,
  SocketMessage,
  TopicMessage,
} from './messages.js';

/** The bot's account, at Harbour and in the record. */
export const MAKER = 'maker';
export const MAKER_ID = 1;
const CENT = 100;
const NO_NUMBERS = /\D/g;

export const numberOf = (name: string): number => Number(name.replaceAll(NO_NUMBERS, ''));
export const marketName = (market: number): string => `M${market}`;
export const eventName = (event: number): string => `E${event}`;

const isoOf = (at: number | null): string | null => (at === null ? null : new Date(at / 1_000).toISOString());

const statusOf = (order: OrderMessage): string => orderReport(order).status;

/** What a topic was told, as the exchange says it. */
export function eventsOf(topic: string, message: TopicMessage): readonly ExchangeEvent[] {
  if (message.type === 'market') return [marketEvent(message)];
  if (topic !== accountTopic(MAKER)) return [];
  if (message.type === 'order') return [orderEvent(message)];
  return message.type === 'position' ? positionEvents(message) : [];
}

function orderEvent(order: OrderMessage): ExchangeEvent {
  const { side, position, price, requested, filled, expiresAt } = orderReport(order);
  return {
    kind: 'order-update',
    account: listed.accountId(MAKER_ID),
    orderId: listed.orderId(numberOf(order.id)),
    marketId: listed.marketId(numberOf(order.market)),
    eventId: listed.eventId(numberOf(order.event)),
    status: statusOf(order) as 'open',
    previousStatus: null,
    side,
    position,
    currency: 'OOM',
    price,
    requested,
    filled: filled!,
    filledDelta: 0 as never,
    filledAmount: order.value as never,
    cancelReason: order.why === null ? null : order.why === 'asked' ? 'user-requested' : 'market-closed',
    systemInitiated: false,
    expiresAt,
    at: order.at as never,
  };
}

const positionEvents = (message: PositionMessage): readonly ExchangeEvent[] =>
  holdingReports(message).map(({ position, shares }) => ({
    kind: 'position-update',
    account: listed.accountId(MAKER_ID),
    wagerId: listed.wagerId(1),
    marketId: listed.marketId(numberOf(message.market)),
    eventId: listed.eventId(numberOf(message.event)),
    position,
    currency: 'OOM',
    shares,
    purchasesAmount: (shares === 0 ? 0 : message.cost) as never,
  }));

const marketEvent = (market: MarketMessage): ExchangeEvent => ({
  kind: 'market-status-change',
  eventId: listed.eventId(numberOf(market.event)),
  marketId: listed.marketId(numberOf(market.market)),
  status: marketStatusOf(market),
  previousStatus: 'active',
  betStart: null,
  betEnd: market.closes as never,
  disabled: false,
  at: market.at as never,
});

/** What closes a position is a sale of what was held. */
export function tradesOf({
  event,
  market,
  side,
  price,
  closes,
  opens,
}: HarbourFill): readonly ExchangeEvent[] {
  const part = (shares: number, isClosing: boolean): ExchangeEvent => {
    const position = (side === 'buy') === isClosing ? 'short' : 'long';
    const none = { orderId: null, account: null, currency: 'OOM', fee: 0 as never } as const;
    return {
      kind: 'trade',
      tradeId: 0,
      marketId: listed.marketId(numberOf(market)),
      eventId: listed.eventId(numberOf(event)),
      mode: 'play_money',
      price: price as never,
      shares: shares as never,
      settlement: 'transfer',
      takerBookSide: 'bid',
      taker: { ...none, side: 'bid', position },
      maker: { ...none, account: listed.accountId(MAKER_ID), side: isClosing ? 'ask' : 'bid', position },
      at: 0 as never,
    };
  };
  return [...(closes > 0 ? [part(closes, true)] : []), ...(opens > 0 ? [part(opens, false)] : [])];
}

/** The market of an order, by the client's name of it. */
type MarketOf = (cid: string) => number | undefined;

/** The letter of a request. */
function letterOf(record: VenueRecord, run: string, ask: Ask, marketOf: MarketOf): Letter {
  const [endpoint, path, body] = wordsOf(ask, marketOf);
  const letter = record.letter(run, endpoint, path, body === null ? '' : JSON.stringify(body));
  // The names of a batch differ in their last part alone.
  if (ask.op === 'place') letter.key = ask.orders[0]!.cid.replace(/-\d+$/, '');
  return letter;
}

function wordsOf(ask: Ask, marketOf: MarketOf): readonly [EndpointName, string, object | null] {
  switch (ask.op) {
    case 'place':
      return ['batchCreate', '/orders/batch/', { orders: ask.orders.map(askedOrder) }];
    case 'cancel':
      return ['batchCancel', '/orders/batch-cancel/', { order_ids: ask.ids.map(numberOf) }];
    case 'cancel-all':
      return [
        'cancelAll',
        '/orders/cancel-all/',
        ask.market === null ? {} : { market: numberOf(ask.market) },
      ];
    case 'orders':
      return ['orders', '/orders/?status=processing&status=open&status=partial_filled', null];
    case 'find':
      return [
        'orders',
        '/orders/?status=filled',
        ask.cids === undefined ? null : { markets: ask.cids.map(marketOf) },
      ];
    case 'positions':
      return ['wagers', '/wagers/', null];
    case 'cash':
      return ['balances', '/me/balances/', null];
    case 'book':
      return ['book', `/markets/${numberOf(ask.market)}/book/`, null];
    case 'event':
      return ['event', `/events/${numberOf(ask.event)}/`, null];
  }
}

function askedOrder({ market, side, reduce, price, size }: PlaceItem): object {
  const position = (side === 'buy') === reduce ? 'short' : 'long';
  const own = position === 'long' ? price : PRICE_ONE - price;
  return {
    market: numberOf(market),
    side: reduce ? 'ask' : 'bid',
    position,
    currency: 'OOM',
    price: own / PRICE_ONE,
    shares: String(size / CENT),
  };
}

/** An answer as the auditor reads it. */
function answerOf(letter: Letter, text: string | null): AnswerText | null {
  if (text === null) return null;
  const reply = JSON.parse(text) as Reply;
  if (!reply.ok) return { status: reply.word === 'SLOW_DOWN' ? 429 : 400, text: JSON.stringify(reply.word) };
  return { status: 200, text: JSON.stringify(shownOf(letter.endpoint, reply.value, letter.path)) };
}

const shownOrder = (order: OrderMessage): object => ({ id: numberOf(order.id), status: statusOf(order) });

function shownOf(endpoint: EndpointName, value: Replies[Ask['op']], path: string): object {
  if (endpoint === 'batchCreate')
    return {
      results: (value as readonly Item<OrderMessage>[]).map((item, index) =>
        item.ok
          ? { index, success: true, order: shownOrder(item.value) }
          : { index, success: false, errors: item.word },
      ),
    };
  if (endpoint === 'orders') return { results: (value as readonly OrderMessage[]).map(shownOrder) };
  if (endpoint !== 'event') return {};
  const { markets } = value as Replies['event'];
  return {
    id: numberOf(path),
    status: eventStatusOf(markets),
    markets: markets.map((market) => ({
      id: numberOf(market.market),
      status: marketStatusOf(market),
      disabled: false,
      bet_end_date: isoOf(market.closes),
    })),
  };
}

export interface PostOptions {
  readonly record: VenueRecord;
  readonly run: string;
  /** Carries out what is because of a letter. */
  readonly because: <Result>(letter: Letter, act: () => Result) => Result;
  readonly onLeft: () => void;
}

/** Writes the letters of one run, and what its feed is told. */
export class HarbourPost implements LineObserver<Letter> {
  readonly #options: PostOptions;
  readonly #frames = new Map<string, number>();
  /** Markets of the orders that the client named. */
  readonly #markets = new Map<string, number>();
  /** The account's present subscription. */
  #sub = '';
  #joins = 0;

  constructor(options: PostOptions) {
    this.#options = options;
  }

  handed(text: string): Letter {
    const { record, run } = this.#options;
    const ask = JSON.parse((JSON.parse(text) as Envelope).text) as Ask;
    if (ask.op === 'place')
      for (const { cid, market } of ask.orders) this.#markets.set(cid, numberOf(market));
    const letter = letterOf(record, run, ask, (cid) => this.#markets.get(cid));
    record.note({ kind: 'handed', letter });
    return letter;
  }

  left(letter: Letter): void {
    const { record, onLeft } = this.#options;
    letter.leftAt = record.now();
    record.note({ kind: 'left', letter });
    onLeft();
  }

  serving(letter: Letter, serve: () => string): string {
    const { record, because } = this.#options;
    const text = because(letter, serve);
    record.note({ kind: 'served', letter, fault: null, answer: answerOf(letter, text) });
    return text;
  }

  answered(letter: Letter, result: LineResult): void {
    const answer = answerOf(letter, result.kind === 'answered' ? result.text : null);
    this.#options.record.note({ kind: 'answered', letter, answer });
  }

  posted(text: string): void {
    const message = JSON.parse(text) as SocketMessage;
    const { record, run } = this.#options;
    if (message.type === 'subscribed' && message.topic === accountTopic(MAKER)) this.#sub = message.sub;
    if (message.type !== 'told' || message.sub !== this.#sub) return;
    const frame = this.#frameOf(message);
    record.note({ kind: 'posted', run, frame, channel: ACCOUNT_CHANNEL });
  }

  /** A message has its turn. */
  told(topic: string, told: Told): void {
    const { record, run } = this.#options;
    const { message } = told;
    const frame = this.#frameOf(told);
    const note = (event: string, channel: string, text: object): void =>
      record.note({ kind: 'told', run, frame, event, channel, text: JSON.stringify(text) });
    if (message.type === 'order') note('order-update', ACCOUNT_CHANNEL, orderFrame(message));
    else if (message.type === 'market')
      note('market-status-change', eventChannel(eventId(numberOf(message.event))), marketFrame(message));
    else if (topic === accountTopic(MAKER)) note('balance-changed', ACCOUNT_CHANNEL, {});
  }

  lost(): void {
    const { record, run } = this.#options;
    record.note({ kind: 'disconnected', run });
  }

  joined(): void {
    const { record, run } = this.#options;
    record.note({ kind: 'joined', run, channel: ACCOUNT_CHANNEL, isFirst: ++this.#joins === 1 });
  }

  #frameOf({ sub, seq }: Told): number {
    const name = `${sub}/${seq}`;
    const frame = this.#frames.get(name) ?? this.#frames.size + 1;
    this.#frames.set(name, frame);
    return frame;
  }
}

const ACCOUNT_CHANNEL = userChannel(accountId(MAKER_ID));

const orderFrame = (order: OrderMessage): object => ({
  order_id: numberOf(order.id),
  status: statusOf(order),
  previous_status: order.at === order.placed && order.filled === 0 && order.state === 'open' ? null : 'open',
  shares_filled: order.filled / CENT,
});

const marketFrame = (market: MarketMessage): object => ({
  event_id: numberOf(market.event),
  market_id: numberOf(market.market),
  status: marketStatusOf(market),
  timestamp: isoOf(market.at),
  bet_end_date: isoOf(market.closes),
  disabled: false,
});

/** An order as the exchange shows one. */
export function orderView(order: OrderMessage): OrderView {
  const { side, position, price, requested, filled, status, expiresAt } = orderReport(order);
  return {
    id: listed.orderId(numberOf(order.id)),
    account: listed.accountId(MAKER_ID),
    eventId: listed.eventId(numberOf(order.event)),
    marketId: listed.marketId(numberOf(order.market)),
    side,
    position,
    currency: 'OOM',
    price,
    shares: requested,
    filled: filled!,
    filledAmount: order.value as never,
    amount: 0 as never,
    status: status as 'open',
    expiresAt,
    createdAt: order.placed as never,
  };
}

/** The books of the venue as far as the auditor reads them. @param given all cash that was ever given to anybody */
export function ledgerOf(harbour: Harbour, given: number): LedgerView {
  const reducing = harbour.orders(MAKER).filter(({ reduce }) => reduce);
  const shares = harbour.positions(MAKER).flatMap((message) =>
    holdingReports(message).map(({ position, shares: held }) => ({
      marketId: listed.marketId(numberOf(message.market)),
      position,
      shares: held,
      locked: reducing
        .filter((order) => order.market === message.market && orderReport(order).position === position)
        .reduce((sum, { size, filled }) => sum + size - filled, 0) as never,
    })),
  );
  const id = listed.accountId(MAKER_ID);
  const row = { id, currency: 'OOM', cash: harbour.cash(MAKER), locked: 0, shares };
  return { accounts: [row], system: [], sum: { OOM: harbour.money - given } } as unknown as LedgerView;
}

export function bookView(harbour: Harbour, market: number, position: 'long' | 'short'): BookView {
  const { buys, sells } = harbour.book(marketName(market), '');
  const levels = (side: typeof buys) =>
    side.map(([price, shares]) => ({ price: position === 'long' ? price : PRICE_ONE - price, shares }));
  const [bids, asks] = position === 'long' ? [buys, sells] : [sells, buys];
  return { bids: levels(bids), asks: levels(asks) } as unknown as BookView;
}
