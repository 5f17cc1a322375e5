/** Lines of an own tape as news at the venue's time. */
import type { EventId, OrderId } from '../../domain/ids.js';
import type { Answer, BookUpdate, Input } from '../../domain/inputs.js';
import type { OrderReport } from '../../domain/orders.js';
import type { RecordedLine } from '../../domain/recorded.js';
import type { Micros, Money } from '../../domain/units.js';
import type { CurrencyMode } from '../../domain/vocabulary.js';
import { frameInput } from '../../protocol/read/frames.js';
import { MarketData } from '../own/market-data.js';
import type { TapeLine } from '../own/records.js';
import { VenueTime } from './venue-time.js';

/** `rank`: own orders change before the book that shows it; both may carry the same millisecond. */
export type News = { readonly at: Micros; readonly rank: number } & (
  | { readonly kind: 'order'; readonly report: OrderReport }
  | { readonly kind: 'ended'; readonly orderIds: readonly OrderId[] }
  | { readonly kind: 'listing'; readonly orders: readonly OrderReport[] }
  /** Others' and own volume together; `shown` is how many levels a side can have. */
  | { readonly kind: 'line'; readonly line: RecordedLine; readonly shown: number }
  /** Turnover of an event so far. */
  | { readonly kind: 'volume'; readonly eventId: EventId; readonly volume: Money }
  /** Own shares that traded. */
  | { readonly kind: 'own-fill'; readonly eventId: EventId; readonly shares: number }
);

type Body = Extract<Answer['outcome'], { ok: true }>['body'];

const NOTHING: readonly News[] = [];
const OWN_FIRST = 0;
const THEN_THE_BOOK = 1;

/** Reads one tape; lines go in in order. */
export class Heard {
  readonly #time = new VenueTime();
  readonly #data = new MarketData();

  /** @param mode the currency mode that is wanted */
  of(line: TapeLine, mode: CurrencyMode): readonly News[] {
    if (line.kind === 'recorded') return [this.#line(line.line, 0)];
    if (line.kind === 'frame')
      return this.#frame(frameInput(line.event, line.channel, line.payload), line.at, mode);
    if (line.kind === 'fill') {
      const { eventId, shares, at } = line.fill;
      return [{ kind: 'own-fill', at, rank: OWN_FIRST, eventId, shares }];
    }
    return line.kind === 'input' ? this.#answer(line.input, line.at) : NOTHING;
  }

  #frame(input: ReturnType<typeof frameInput>, receivedAt: Micros, mode: CurrencyMode): readonly News[] {
    if (input.kind === 'book-update') return input.mode === mode ? [this.#book(input, receivedAt)] : NOTHING;
    if (input.kind === 'order-update') {
      this.#time.heard(receivedAt, input.venueTime);
      return [{ kind: 'order', at: input.venueTime, rank: OWN_FIRST, report: input.report }];
    }
    const at = this.#time.of(receivedAt);
    const lines = this.#data.read(input, at).map((line) => this.#line(line, 0));
    if (input.kind !== 'price-change') return lines;
    const volume = mode === 'play_money' ? input.volumePlayMoney : input.volumeRealMoney;
    if (volume === null) return lines;
    return [...lines, { kind: 'volume', at, rank: OWN_FIRST, eventId: input.eventId, volume }];
  }

  #book(input: BookUpdate, receivedAt: Micros): News {
    this.#time.heard(receivedAt, input.venueTime);
    const [line] = this.#data.read(input, receivedAt);
    return this.#line(line!, input.topN);
  }

  #line(line: RecordedLine, shown: number): News {
    return { kind: 'line', at: line.at, rank: THEN_THE_BOOK, line, shown };
  }

  #answer(input: Input, receivedAt: Micros): readonly News[] {
    if (input.kind !== 'answer' || !input.outcome.ok) return NOTHING;
    const answered = { at: this.#time.of(receivedAt), rank: OWN_FIRST };
    const asked = this.#time.of(input.sentAt ?? receivedAt);
    return newsIn(input.outcome.body, answered, asked);
  }
}

function newsIn(
  body: Body,
  answered: { readonly at: Micros; readonly rank: number },
  asked: Micros,
): readonly News[] {
  switch (body.kind) {
    case 'create-orders':
    case 'replace-orders': {
      const reports = body.items.flatMap((item) => (item.ok ? [item.value] : []));
      const placed = reports.map((report): News => {
        return { ...answered, kind: 'order', at: report.createdAt ?? answered.at, report };
      });
      const ended = body.kind === 'create-orders' ? body.canceledIds : [];
      return [...placed, { ...answered, kind: 'ended', orderIds: ended }];
    }
    case 'cancel-orders':
      return [
        {
          ...answered,
          kind: 'ended',
          orderIds: body.items.flatMap((item) => (item.ok ? [item.value] : [])),
        },
      ];
    case 'cancel-scope':
      return [{ ...answered, kind: 'ended', orderIds: body.canceledIds }];
    case 'read-orders':
      return [{ ...answered, kind: 'listing', at: asked, orders: body.orders }];
    case 'read-holdings':
    case 'read-balances':
    case 'read-book':
    case 'read-event':
      return NOTHING;
  }
}
