import type { Effect } from '../../../src/domain/effects.js';
import type { MarketId } from '../../../src/domain/ids.js';
import type { BookInput, Input, Stamped } from '../../../src/domain/inputs.js';
import type { Levels } from '../../../src/domain/levels.js';
import { type Micros, type PriceUnits, type Shares, shares } from '../../../src/domain/units.js';
import { Engine } from '../../../src/core/engine/engine.js';
import type { EngineObserver } from '../../../src/core/engine/observing/observer.js';
import type { EngineOptions } from '../../../src/core/engine/options.js';
import { AgreeableVenue } from './agreeable-venue.js';
import { LEVELS } from './house.js';
import { subscriptionChange } from '../../../src/venues/futuur/protocol/realtime/channels.js';

const START = 1_800_000_000_000_000 as Micros;
const TICK_UNITS = 100;
const DEPTH = 5;
const PATIENCE_S = 1_200;

/** An engine that quotes every market, live and settled, and the venue that answers it. */
export class Rig {
  readonly engine: Engine;
  readonly markets: readonly MarketId[];
  readonly venue = new AgreeableVenue();
  readonly #eventOf: ReadonlyMap<MarketId, BookInput['eventId']>;
  #seq = 0;
  now: Micros = START;

  /**
   * @param mid      whole cents, of every market at first
   * @param observer looks on
   * @param levels   quotes a side of each market
   */
  constructor(
    options: EngineOptions,
    mid: number,
    observer: EngineObserver | null = null,
    levels: number = LEVELS,
  ) {
    const { events } = options;
    this.#eventOf = new Map(
      events.flatMap((event) => event.markets.map(({ id }) => [id, event.id] as const)),
    );
    this.markets = [...this.#eventOf.keys()];
    this.engine = new Engine(options, START, observer);
    for (const id of this.markets) this.book(id, mid, 0);
    this.hear({ kind: 'link', state: 'connected', reason: '' });
    for (const { id } of events) this.hear(subscriptionChange(`event-${id}`, 'subscribed'));
    this.hear(subscriptionChange('private-user-1', 'subscribed'));
    for (const id of this.markets) this.hear(this.book(id, mid, 0));
    const expected = this.markets.length * 2 * levels;
    this.rest(10_000);
    // Where requests are scarce it takes longer.
    for (let s = 0; s < PATIENCE_S && this.venue.resting !== expected; s += 1) this.rest(1_000);
    if (this.venue.resting !== expected)
      throw new Error(`${this.venue.resting} quotes rest, not ${expected}`);
  }

  /**
   * The venue's book from now on: five levels a side around a mid of whole cents, two cents apart at the touch.
   * @param salt varies the sizes behind the touch
   * @param bidSalt varies the size of the best bid
   */
  book(marketId: MarketId, mid: number, salt: number, bidSalt = 0): BookInput {
    const side = (sign: 1 | -1): Levels => {
      const prices: PriceUnits[] = [];
      const sizes: Shares[] = [];
      for (let level = 1; level <= DEPTH; level++) {
        prices.push(((mid + sign * level) * TICK_UNITS) as PriceUnits);
        sizes.push(shares(100_000 + level * 100 + (level > 1 ? salt : sign < 0 ? bidSalt : 0)));
      }
      return { prices, shares: sizes };
    };
    const eventId = this.#eventOf.get(marketId)!;
    const venueTime = this.now;
    const sides = { bids: side(-1), asks: side(1) };
    const update: BookInput = {
      kind: 'book',
      eventId,
      marketId,
      mode: 'play_money',
      topN: DEPTH,
      ...sides,
      venueTime,
    };
    this.venue.shows(update);
    return update;
  }

  /** No two inputs come at the same moment. */
  stamp(input: Input): Stamped {
    this.now = (this.now + 1) as Micros;
    return { seq: (this.#seq += 1), at: this.now, input };
  }

  /** One input, everything it leads to, and everything that leads to. */
  hear(input: Input): void {
    this.answer(this.engine.step(this.stamp(input)));
  }

  /** Answers requests until none is left. */
  answer(effects: readonly Effect[]): void {
    for (const effect of effects)
      if (effect.kind === 'send') for (const input of this.venue.answer(effect, this.now)) this.hear(input);
  }

  /** Lets so much time pass, with a timer every ten milliseconds. */
  rest(ms: number): void {
    for (let passed = 0; passed < ms; passed += 10) {
      this.now = (this.now + 10_000) as Micros;
      this.hear({ kind: 'timer' });
    }
  }
}
