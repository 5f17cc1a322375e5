import type { LimitOrder } from '../../domain/orders.js';
import {
  CURRENCIES,
  type Currency,
  POSITIONS,
  type Position,
  SIDES,
  type Side,
  bookSide,
} from '../../domain/vocabulary.js';
import { FewValues } from './few-values.js';
import { DOUBTS, type Doubt, type OrderState } from './order-life.js';
import { ENDINGS, type Ending, OWNERSHIPS, type Ownership, type Stage } from './own-order.js';

/** What an order trades and which way: one object for all orders of which that is the same. */
interface Direction {
  readonly side: Side;
  readonly position: Position;
  readonly currency: Currency;
  readonly bookSide: Side;
}

const DIRECTIONS: readonly Direction[] = SIDES.flatMap((side) =>
  POSITIONS.flatMap((position) =>
    CURRENCIES.map((currency) => ({ side, position, currency, bookSide: bookSide(side, position) })),
  ),
);

const OWNERSHIP = new FewValues(OWNERSHIPS, null);
const COUNTS_FILLS = new FewValues([true, false], OWNERSHIP);
const DOUBT = new FewValues([null, ...DOUBTS], COUNTS_FILLS);
const ENDING = new FewValues([null, ...ENDINGS], DOUBT);

/** Those members of an order that have one of few values: what few ask for is together in one number. */
export class OrderTraits {
  state: OrderState;
  stage: Stage = 'unseen';
  private readonly direction: Direction;
  private bits: number;

  constructor({ side, position, currency }: LimitOrder, ownership: Ownership, state: OrderState) {
    this.direction = directionOf(side, position, currency);
    this.state = state;
    this.bits = OWNERSHIP.in(0, ownership);
  }

  get side(): Side {
    return this.direction.side;
  }

  get position(): Position {
    return this.direction.position;
  }

  get bookSide(): Side {
    return this.direction.bookSide;
  }

  get currency(): Currency {
    return this.direction.currency;
  }

  get ownership(): Ownership {
    return OWNERSHIP.of(this.bits);
  }

  set ownership(ownership: Ownership) {
    this.bits = OWNERSHIP.in(this.bits, ownership);
  }

  get countsFills(): boolean {
    return COUNTS_FILLS.of(this.bits);
  }

  set countsFills(counts: boolean) {
    this.bits = COUNTS_FILLS.in(this.bits, counts);
  }

  get doubt(): Doubt | null {
    return DOUBT.of(this.bits);
  }

  set doubt(doubt: Doubt | null) {
    this.bits = DOUBT.in(this.bits, doubt);
  }

  get ending(): Ending | null {
    return ENDING.of(this.bits);
  }

  set ending(ending: Ending | null) {
    this.bits = ENDING.in(this.bits, ending);
  }
}

function directionOf(side: Side, position: Position, currency: Currency): Direction {
  const half = (side === 'bid' ? 0 : POSITIONS.length) + (position === 'long' ? 0 : 1);
  return DIRECTIONS[half * CURRENCIES.length + CURRENCIES.indexOf(currency)]!;
}
