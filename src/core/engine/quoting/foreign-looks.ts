import type { MarketId } from '../../../domain/ids.js';
import type { Micros } from '../../../domain/units.js';
import type { ForeignBook } from '../../mirror/books/foreign-book.js';
import type { OwnLevels } from '../../mirror/books/own-levels.js';
import type { EngineParts } from '../parts.js';
import { type BookPane, UNSEEN_BOOK } from './book-view.js';
import { ShownOrders } from './shown-orders.js';

/** One look at the book of a market. */
export interface ForeignLook {
  readonly marketId: MarketId;
  readonly tickUnits: number;
  readonly now: Micros;
  /** Whether nothing but books has changed since the look before. */
  readonly isSteady: boolean;
}

/** Looks at the book of one market without our own orders, each compared with the one before. */
export class ForeignLooks {
  private readonly shown: ShownOrders;
  /** The book as of the last look. */
  private seen: BookPane = UNSEEN_BOOK;

  constructor(private readonly parts: EngineParts) {
    this.shown = new ShownOrders(parts.options.quoting.graceMs);
  }

  /** @param pane shows it afterwards @returns valid until anybody looks again */
  look(pane: BookPane, at: ForeignLook): ForeignBook {
    const { marketId, tickUnits, now, isSteady } = at;
    const own = (isSteady ? this.shown.lasting : null) ?? this.own(at);
    const foreign = this.parts.mirror.look(marketId, own, now);
    pane.show(foreign, tickUnits);
    this.seen = pane;
    return foreign;
  }

  /** What the newest book shows of our own orders. */
  private own({ marketId, tickUnits, now }: ForeignLook): OwnLevels {
    const { mirror, desk } = this.parts;
    return this.shown.in(desk.orders.own(marketId), tickUnits, mirror.bookAt(marketId), now, this.seen);
  }
}
