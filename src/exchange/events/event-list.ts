import { InvariantError } from '../../domain/errors.js';
import type { EventList, ExchangeEvent } from '../contract.js';
import type { Floor } from '../floor.js';
import { readBalanceChange } from './balance-changes.js';
import { readBestPrices } from './best-prices.js';
import { readBookTop } from './book-tops.js';
import {
  BALANCE_CHANGED,
  BEST_PRICES_CHANGE,
  ORDER_BOOK_UPDATE,
  ORDER_UPDATE,
  POSITION_UPDATE,
  PRICE_CHANGE,
  TRADE,
} from './event-log.js';
import { readOrderUpdate } from './order-updates.js';
import { readPosition } from './positions.js';
import { readPrices } from './prices.js';
import { readTrade } from './trades.js';

/** The events of one command of a floor: see {@link EventList}. */
export class SaidEvents implements EventList {
  readonly length: number;
  private readonly command: number;

  constructor(private readonly floor: Floor) {
    const { log } = floor.outbox;
    this.length = log.count;
    this.command = log.command;
  }

  kind(place: number): ExchangeEvent['kind'] {
    this.check(place);
    return this.floor.outbox.log.word(place);
  }

  at(place: number): ExchangeEvent {
    this.check(place);
    return read(this.floor, place);
  }

  toArray(): ExchangeEvent[] {
    return Array.from({ length: this.length }, (_, place) => this.at(place));
  }

  *[Symbol.iterator](): Generator<ExchangeEvent> {
    for (let place = 0; place < this.length; place++) yield this.at(place);
  }

  private check(place: number): void {
    if (this.command !== this.floor.outbox.log.command)
      throw new InvariantError('events were read after the next command; take them with toArray() at once');
    if (!(place >= 0 && place < this.length))
      throw new InvariantError(`there are ${this.length} events, and number ${place} was asked for`);
  }
}

function read(floor: Floor, place: number): ExchangeEvent {
  const { log } = floor.outbox;
  const start = log.start(place);
  switch (log.kind(place)) {
    case ORDER_UPDATE:
      return readOrderUpdate(floor, start);
    case TRADE:
      return readTrade(floor, start);
    case ORDER_BOOK_UPDATE:
      return readBookTop(floor, start);
    case BEST_PRICES_CHANGE:
      return readBestPrices(floor, start);
    case PRICE_CHANGE:
      return readPrices(floor, start);
    case POSITION_UPDATE:
      return readPosition(floor, start);
    case BALANCE_CHANGED:
      return readBalanceChange(floor, start);
    default:
      return log.object(place);
  }
}
