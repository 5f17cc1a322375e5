import type { OrderPlace } from '../../../domain/orders.js';
import {
  CURRENCIES,
  type Currency,
  POSITIONS,
  type Position,
  SIDES,
  type Side,
  bookSide,
} from '../../../domain/vocabulary.js';
import { type Doubt, type LifeEvent, type OrderState, nextDoubt, nextState } from './order-life.js';
import type { Ending, Ownership, Stage } from './own-order.js';

/** At which of its times the order began to show as it does; `later`: at none of them. */
type ShownAt = 'first' | 'named' | 'heard' | 'later';

/** Those members of an order that have one of few values. */
interface Values {
  readonly side: Side;
  readonly position: Position;
  readonly currency: Currency;
  readonly ownership: Ownership;
  readonly countsFills: boolean;
  readonly state: OrderState;
  readonly doubt: Doubt | null;
  readonly stage: Stage;
  readonly ending: Ending | null;
  readonly shownAt: ShownAt;
}

type Changing = Exclude<keyof Values, 'side' | 'position' | 'currency' | 'doubt'>;

/** One object for all orders of which these values are the same; never written. Few of all combinations ever occur. */
export class Traits implements Values {
  readonly side: Side;
  readonly position: Position;
  readonly currency: Currency;
  readonly bookSide: Side;
  readonly ownership: Ownership;
  readonly countsFills: boolean;
  readonly state: OrderState;
  readonly doubt: Doubt | null;
  readonly stage: Stage;
  readonly ending: Ending | null;
  readonly shownAt: ShownAt;
  /** What these become when one value changes, as far as that has happened. */
  readonly next: { readonly [Member in Changing]: Map<Values[Member], Traits> } = {
    ownership: new Map(),
    countsFills: new Map(),
    state: new Map(),
    stage: new Map(),
    ending: new Map(),
    shownAt: new Map(),
  };
  /** What an event of the order's life makes of them, as far as that has happened. */
  readonly after = new Map<LifeEvent, Traits>();
  #newborn: Traits | null = null;
  /** The event that came to one of these orders last, and what it made of them: mostly many hear of the same in turn. */
  lastEvent: LifeEvent | null = null;
  afterLast: Traits = this;

  constructor(values: Values) {
    this.side = values.side;
    this.position = values.position;
    this.currency = values.currency;
    this.bookSide = bookSide(values.side, values.position);
    this.ownership = values.ownership;
    this.countsFills = values.countsFills;
    this.state = values.state;
    this.doubt = values.doubt;
    this.stage = values.stage;
    this.ending = values.ending;
    this.shownAt = values.shownAt;
  }

  /** Of a new order in the same place. */
  get newborn(): Traits {
    return (this.#newborn ??= traitsOfNew(this));
  }
}

/**
 * As much of an order as has few values: together they take the room of one member, and cost a look into a small table
 * when one of them changes.
 */
export class OrderTraits {
  // Written by whoever extends it: a constructor of a base class is called in a general way, which takes longer than all
  // that an order is made of.
  declare traits: Traits;

  /** State and doubt become what the event makes of them. */
  live(event: LifeEvent): void {
    const { traits } = this;
    if (traits.lastEvent !== event) {
      traits.afterLast = traits.after.get(event) ?? lived(traits, event);
      traits.lastEvent = event;
    }
    this.traits = traits.afterLast;
  }

  get side(): Side {
    return this.traits.side;
  }

  get position(): Position {
    return this.traits.position;
  }

  get bookSide(): Side {
    return this.traits.bookSide;
  }

  get currency(): Currency {
    return this.traits.currency;
  }

  get ownership(): Ownership {
    return this.traits.ownership;
  }

  set ownership(ownership: Ownership) {
    const { traits } = this;
    if (ownership !== traits.ownership)
      this.traits = traits.next.ownership.get(ownership) ?? changed(traits, 'ownership', ownership);
  }

  get countsFills(): boolean {
    return this.traits.countsFills;
  }

  set countsFills(counts: boolean) {
    const { traits } = this;
    if (counts !== traits.countsFills)
      this.traits = traits.next.countsFills.get(counts) ?? changed(traits, 'countsFills', counts);
  }

  get state(): OrderState {
    return this.traits.state;
  }

  set state(state: OrderState) {
    const { traits } = this;
    if (state !== traits.state) this.traits = traits.next.state.get(state) ?? changed(traits, 'state', state);
  }

  get doubt(): Doubt | null {
    return this.traits.doubt;
  }

  get stage(): Stage {
    return this.traits.stage;
  }

  set stage(stage: Stage) {
    const { traits } = this;
    if (stage !== traits.stage) this.traits = traits.next.stage.get(stage) ?? changed(traits, 'stage', stage);
  }

  get ending(): Ending | null {
    return this.traits.ending;
  }

  set ending(ending: Ending | null) {
    const { traits } = this;
    if (ending !== traits.ending)
      this.traits = traits.next.ending.get(ending) ?? changed(traits, 'ending', ending);
  }

  protected get shownAt(): ShownAt {
    return this.traits.shownAt;
  }

  protected set shownAt(shownAt: ShownAt) {
    const { traits } = this;
    if (shownAt !== traits.shownAt)
      this.traits = traits.next.shownAt.get(shownAt) ?? changed(traits, 'shownAt', shownAt);
  }
}

/** Every combination that ever occurred. */
const KNOWN = new Map<string, Traits>();

function traitsOf(values: Values): Traits {
  const { side, position, currency, ownership, countsFills, state, doubt, stage, ending, shownAt } = values;
  const all = [side, position, currency, ownership, countsFills, state, doubt, stage, ending, shownAt];
  const key = all.join();
  const traits = KNOWN.get(key) ?? new Traits(values);
  KNOWN.set(key, traits);
  return traits;
}

/** The traits with one other value, which they remember. */
function changed<Member extends Changing>(traits: Traits, member: Member, value: Values[Member]): Traits {
  const before: Values = traits;
  const after = traitsOf({ ...before, [member]: value });
  traits.next[member].set(value, after);
  return after;
}

/** The traits after the event, which they remember. */
function lived(traits: Traits, event: LifeEvent): Traits {
  const before: Values = traits;
  const state = nextState(traits, event);
  const after = traitsOf({ ...before, state, doubt: nextDoubt(traits, event, state) });
  traits.after.set(event, after);
  return after;
}

/** Those of an order of ours that is asked for. */
export const traitsOfNew = ({
  side,
  position,
  currency,
}: Pick<OrderPlace, 'side' | 'position' | 'currency'>): Traits =>
  NEW_ORDERS[placeOf(side, position, currency)]!;

const placeOf = (side: Side, position: Position, currency: Currency): number =>
  ((side === 'bid' ? 0 : POSITIONS.length) + (position === 'long' ? 0 : 1)) * CURRENCIES.length +
  CURRENCIES.indexOf(currency);

/** By {@link placeOf}. */
const NEW_ORDERS: readonly Traits[] = SIDES.flatMap((side) =>
  POSITIONS.flatMap((position) =>
    CURRENCIES.map((currency) =>
      traitsOf({
        side,
        position,
        currency,
        ownership: 'ours',
        countsFills: true,
        state: 'creating',
        doubt: null,
        stage: 'unseen',
        ending: null,
        shownAt: 'first',
      }),
    ),
  ),
);
