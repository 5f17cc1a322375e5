/** Lets a story happen to a world. */
import { eventId, marketId } from '../../../../src/exchange/contract/ids.js';
import type { Micros, Money } from '../../../../src/domain/units.js';
import { CALM } from '../network.js';
import type { Cause } from '../venue-record.js';
import { type HouseWorld, MAKER } from '../world.js';
import type { HandHappening, Happening } from './happening.js';
import { turningAway } from './misbehaviour.js';
import { Person } from './person.js';
import { Runs, type RunsParts } from './runs.js';
import type { FaultRule } from '../../../../src/venues/simulated/models/faults.js';

export interface DirectorParts extends RunsParts {
  readonly seed: number;
}

const OTHERS: Cause = { by: 'others' };

export class Director {
  readonly happened = new Map<string, number>();
  readonly runs: Runs;
  readonly #parts: DirectorParts;
  readonly #person: Person;
  #rules: readonly FaultRule[] = [];
  #isCalm = false;

  constructor(parts: DirectorParts) {
    this.#parts = parts;
    this.runs = new Runs(parts);
    this.#person = new Person(parts.world, parts.house.shared);
  }

  async perform(happening: Happening): Promise<void> {
    this.happened.set(happening.kind, (this.happened.get(happening.kind) ?? 0) + 1);
    const act = this.#acts[happening.kind] as (happening: Happening) => void;
    act(happening);
    await this.runs.settled;
  }

  async start(): Promise<void> {
    this.runs.begin();
    await this.runs.settled;
  }

  /** Nothing goes wrong any more, and the bot runs. */
  async calm(): Promise<void> {
    const { world } = this.#parts;
    this.#isCalm = true;
    world.network.weather = CALM;
    this.#rules = [];
    world.venue.faults.replace({ seed: 0, rules: [] });
    world.venue.close();
    this.#setDisk(false);
    await this.runs.calm();
  }

  /** Every request is answered with 429. @param ms what the bot is asked to wait; null: no more */
  turnAway(ms: number | null): void {
    if (ms !== null) this.happened.set('turned-away', 1);
    this.#rules = ms === null ? [] : turningAway(ms);
    this.#misbehave();
  }

  /** The auditor saw quotes stand all that time. */
  quotesWereTurnedAway(): void {
    this.happened.delete('turned-away');
    this.happened.set('turned-away-while-quoted', 1);
  }

  readonly #byHand = (happening: HandHappening): void => this.#person.act(happening);

  readonly #acts: {
    readonly [Kind in Happening['kind']]: (happening: Extract<Happening, { kind: Kind }>) => void;
  } = {
    weather: ({ weather }) => {
      this.#parts.world.network.weather = weather;
    },
    misbehaviour: ({ rules }) => {
      this.#rules = rules;
      this.#misbehave();
    },
    'connection-lost': ({ againAfterMs }) => this.runs.latest?.line.lose('the network', againAfterMs),
    'bot-killed': ({ againAfterMs }) => this.runs.kill(againAfterMs),
    'bot-stopped': () => this.runs.stop(),
    'bot-frozen': ({ forMs }) => this.runs.freeze(forMs),
    'bot-started-twice': () => this.runs.startTwice(),
    'clock-set': ({ byMs }) => {
      this.#parts.machine.jump(byMs);
      this.#parts.world.record.note({ kind: 'clock-set', byMs });
    },
    snapshot: () => this.#parts.world.takeSnapshot(),
    'venue-killed': ({ againAfterMs }) => this.#killVenue(againAfterMs),
    'market-status': ({ market, status }) =>
      this.#admin({ kind: 'set-market-status', marketId: marketId(market), status }),
    'market-disabled': ({ market, disabled }) =>
      this.#admin({ kind: 'set-market-status', marketId: marketId(market), disabled }),
    'market-closing': ({ market, afterMs }) => this.#close(market, afterMs),
    'event-status': ({ event, status }) =>
      this.#admin({ kind: 'set-event-status', eventId: eventId(event), status }),
    'event-resolved': ({ event, resolutions }) =>
      this.#admin({
        kind: 'resolve-event',
        eventId: eventId(event),
        resolutions: resolutions.map(({ market, resolution }) => ({
          marketId: marketId(market),
          resolution,
        })),
      }),
    'event-reversed': ({ event }) => this.#admin({ kind: 'reverse-event', eventId: eventId(event) }),
    'order-by-hand': ({ kind: _kind, market, ...order }) => this.#place({ marketId: market, ...order }),
    deposit: ({ amount }) =>
      this.#admin({
        kind: 'deposit',
        account: MAKER,
        currency: this.#parts.house.company.currency,
        amount: amount as Money,
      }),
    'event-live': ({ event, isLive }) =>
      this.#admin({ kind: 'set-live', eventId: eventId(event), isLive, extraData: null }),
    'disk-full': ({ forMs }) => this.#fillDisk(forMs),
    'kill-switch': ({ forMs }) => this.runs.pullSwitch(forMs),
    'hand-places': this.#byHand,
    'hand-cancels': this.#byHand,
    'hand-moves': this.#byHand,
    'hand-clears': this.#byHand,
  };

  #admin(command: Parameters<HouseWorld['execute']>[1]): void {
    if (this.#parts.world.isListening) this.#parts.world.execute(OTHERS, command);
  }

  #misbehave(): void {
    const { world, seed } = this.#parts;
    world.venue.faults.replace({ seed, rules: this.#rules });
  }

  #killVenue(againAfterMs: number): void {
    const { world } = this.#parts;
    if (!world.isListening) return;
    world.killVenue();
    this.#later(againAfterMs, () => {
      if (world.restartVenue('disk') === 'another') this.runs.broken.push('the exchange came back another');
      this.#misbehave();
      if (this.#isCalm) world.venue.close();
    });
  }

  #fillDisk(forMs: number): void {
    this.#setDisk(true);
    this.#later(forMs, () => this.#setDisk(false));
  }

  #setDisk(isFull: boolean): void {
    const { journal, record } = this.#parts.world;
    journal.isFull = isFull;
    record.note({ kind: 'disk', isFull });
  }

  #close(market: number, afterMs: number): void {
    const betEnd = (this.#parts.world.now + afterMs * 1_000) as Micros;
    this.#admin({ kind: 'set-market-status', marketId: marketId(market), betEnd });
  }

  #place(order: Parameters<HouseWorld['tryPlace']>[1]): void {
    const { world, house } = this.#parts;
    const { currency } = house.company;
    if (world.isListening) world.tryPlace(MAKER, { ...order, currency });
  }

  #later(ms: number, act: () => void): void {
    this.#parts.world.network.after(ms, act);
  }
}
