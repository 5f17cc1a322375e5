/** The bundled exchange as the tape of somebody who trades on it, with the truth that the tape does not say. */
import * as ids from '../../../src/domain/ids.js';
import type { FeedInput } from '../../../src/domain/inputs.js';
import { accountId, eventId, marketId } from '../../../src/exchange/contract/ids.js';
import {
  type Micros,
  type Money,
  PRICE_ONE,
  type PriceUnits,
  type Shares,
} from '../../../src/domain/units.js';
import type { Position, Side } from '../../../src/domain/vocabulary.js';
import type { Command, ExchangeEvent } from '../../../src/exchange/contract.js';
import { accountConfig, eventConfig, exchangeConfig, marketConfig } from '../../../src/exchange/defaults.js';
import { Exchange } from '../../../src/exchange/exchange.js';
import { feedInput } from '../../../src/venues/futuur/protocol/read/frames.js';
import { messageOf } from '../../../src/exchange-server/realtime/publisher.js';
import type { TapeLine } from '../../../src/storage/tape/records.js';

export const OWN = accountId(1);
export const OTHERS = [accountId(2), accountId(3)] as const;
const TAPED_MARKET = marketId(7);
const TAPED_EVENT = eventId(5);
const START = 1_767_225_600_000_000;
const TOP_N = 3;
const WAY = 5_000;

export type Step =
  | {
      readonly kind: 'place';
      readonly account: typeof OWN;
      readonly side: Side;
      readonly position: Position;
      readonly tick: number;
      readonly shares: number;
    }
  | { readonly kind: 'cancel'; readonly account: typeof OWN };

type LevelsOfOthers = readonly (readonly [price: number, shares: number])[];

/** What others showed within the top of the book after a step. */
export interface Truth {
  readonly at: number;
  readonly bids: LevelsOfOthers;
  readonly asks: LevelsOfOthers;
}

const PUBLIC = new Set<ExchangeEvent['kind']>(['order-book-update', 'price-change']);

export class TapedExchange {
  readonly lines: TapeLine[] = [];
  readonly truths: Truth[] = [];
  /** Of what was traded without the recorder as taker: shares at the cheaper of their two positions. */
  turnoverWithoutOurTaking = 0;
  /** Prices at which the recorder took from others. */
  readonly taken = new Set<number>();
  /** As the event told it. */
  shownTurnover = 0;
  private readonly exchange = new Exchange(
    exchangeConfig({
      topN: TOP_N,
      accounts: [OWN, ...OTHERS].map((id) =>
        accountConfig({ id, username: `trader${id}`, balances: { OOM: 1_000_000_000_000 as Money } }),
      ),
      duplicateWindowMs: 0,
      events: [
        eventConfig({
          id: TAPED_EVENT,
          title: 'Taped',
          minAmount: 1 as Money,
          markets: [marketConfig({ id: TAPED_MARKET, title: 'Yes' })],
        }),
      ],
    }),
  );
  private at = START;
  private count = 0;

  /** @param privateWay how long private frames take, microseconds: they overtake public ones or are overtaken */
  constructor(private readonly privateWay: (step: number) => number) {}

  step(step: Step, number: number): void {
    this.at += 20_000;
    const command = step.kind === 'place' ? this.placing(step) : this.cancelling(step.account);
    for (const event of this.exchange.execute(command, this.at as Micros).events) this.hear(event, number);
    this.truths.push(this.truth());
  }

  /** Lines as they were received. */
  received(): readonly TapeLine[] {
    return this.lines.toSorted((a, b) => a.at - b.at);
  }

  private placing({ account, side, position, tick, shares }: Extract<Step, { kind: 'place' }>): Command {
    const order = {
      eventId: TAPED_EVENT,
      marketId: TAPED_MARKET,
      side,
      position,
      currency: 'OOM',
      price: (tick * 100) as PriceUnits,
      shares: (shares * 100) as Shares,
      amount: null,
      expiresAt: null,
      cancelConflicting: true,
    } as const;
    return { kind: 'place-order', account, request: null, order };
  }

  private cancelling(account: typeof OWN): Command {
    const ordering = { field: 'id', descending: false } as const;
    const { results } = this.exchange.orders(account, { status: 'open', ordering, limit: 1, offset: 0 });
    return { kind: 'cancel-batch', account, orderIds: results.map(({ id }) => id) };
  }

  private hear(event: ExchangeEvent, number: number): void {
    if (event.kind === 'trade') {
      if (event.taker.account === OWN) this.taken.add(event.price);
      else this.turnoverWithoutOurTaking += Math.min(event.price, PRICE_ONE - event.price) * event.shares;
      return;
    }
    if ('account' in event ? event.account !== OWN : !PUBLIC.has(event.kind)) return;
    if (event.kind === 'price-change') this.shownTurnover = event.volumePlayMoney;
    const message = messageOf(event, this.exchange);
    if (message === null) return;
    const payload = JSON.parse(JSON.stringify(message.payload())) as unknown;
    const [channel = ''] = message.channels;
    const way = PUBLIC.has(event.kind) ? WAY : this.privateWay(number);
    const head = { n: (this.count += 1), at: (this.at + way) as Micros, mono: 0 };
    this.lines.push({ ...head, kind: 'frame', venueAt: null, event: message.event, channel, payload });
    this.fill(feedInput(message.event, channel, payload), head);
  }

  /** The engine that recorded books a fill when it hears of it. */
  private fill(input: FeedInput | null, head: Pick<TapeLine, 'n' | 'at' | 'mono'>): void {
    if (input?.kind !== 'order' || (input.report.filledNow ?? 0) === 0) return;
    const { orderId, side, position, currency, filledNow } = input.report;
    const fill = {
      id: 1,
      orderId,
      side,
      position,
      currency,
      eventId: ids.eventId(TAPED_EVENT),
      marketId: ids.marketId(TAPED_MARKET),
      shares: filledNow!,
      amount: 0 as Money,
      fee: 0 as Money,
      liquidity: 'unknown' as const,
      at: input.venueTime,
      isInferred: false,
      replaces: null,
    };
    this.lines.push({ ...head, kind: 'fill', seq: 1, fill });
  }

  private truth(): Truth {
    const book = this.exchange.book(TAPED_MARKET, 'play_money', 'long', OWN)!;
    const side = (levels: typeof book.bids): LevelsOfOthers =>
      levels
        .slice(0, TOP_N)
        .map(({ price, shares, userShares }) => [price, shares - (userShares ?? 0)] as const)
        .filter(([, left]) => left > 0);
    return { at: this.at, bids: side(book.bids), asks: side(book.asks) };
  }
}
