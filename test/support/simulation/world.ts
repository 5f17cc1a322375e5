/**
 * The house of `test/simulation/house.yaml` in virtual time: an exchange with its participants, a network whose faults
 * a seed decides, and bots that trade over it. Two worlds of the same seed and the same test live the same life.
 */
import { fileURLToPath } from 'node:url';
import { bundledVenueOf } from '../../../src/app/bundled-venue.js';
import { type AccountId, accountId, marketId, type OrderId } from '../../../src/domain/ids.js';
import { type Micros, micros } from '../../../src/domain/units.js';
import type { Position, Side } from '../../../src/domain/vocabulary.js';
import type { EngineObserver } from '../../../src/engine/observer.js';
import type { EngineOptions } from '../../../src/engine/options.js';
import type { ExchangeEvent } from '../../../src/exchange/contract.js';
import type { Random } from '../../../src/ports/random.js';
import { seededRandom } from '../../../src/runtime/seeded-random.js';
import { VirtualClock } from '../../../src/runtime/virtual-clock.js';
import { type BotSettings, type ExchangeSettings, loadBotSettings } from '../../../src/settings/index.js';
import { MemoryJournal } from '../memory-journal.js';
import { Network } from './network.js';
import { SimulatedBot } from './simulated-bot.js';
import { VirtualTransport } from './virtual-transport.js';
import { VirtualVenue } from './virtual-venue.js';

const FILE = fileURLToPath(new URL('../../simulation/house.yaml', import.meta.url));
export const MAKER = accountId(1);
export const RIVAL = accountId(2);
const QUOTED = [1_001, 2_001, 2_002] as const;
const START = micros(1_767_225_600_000_000);

export interface WorldOptions {
  readonly seed?: number;
  readonly exchange?: (settings: ExchangeSettings) => ExchangeSettings;
}

/** Price units of the position, share units. */
export interface PlainOrder {
  readonly marketId: number;
  readonly side: Side;
  readonly position: Position;
  readonly price: number;
  readonly shares: number;
}

export interface BotChanges {
  readonly settings?: (settings: BotSettings) => BotSettings;
  readonly engine?: (options: EngineOptions) => EngineOptions;
  readonly observer?: EngineObserver;
}

export class World {
  readonly clock = new VirtualClock(START);
  readonly network: Network;
  readonly transport: VirtualTransport;
  readonly journal = new MemoryJournal();
  readonly exchangeSettings: ExchangeSettings;
  readonly #random: Random;
  readonly #loaded = loadBotSettings(FILE, {});
  readonly #bots: SimulatedBot[] = [];
  #venue: VirtualVenue;
  #isListening = true;

  constructor({ seed = 1, exchange = (settings) => settings }: WorldOptions = {}) {
    this.#random = seededRandom(seed);
    this.exchangeSettings = exchange(this.#loaded.settings.exchange!);
    this.network = new Network(this.clock, this.#random.fork('network'));
    this.transport = new VirtualTransport(this.network, () =>
      this.#isListening ? (endpoint, request) => this.#venue.serve(endpoint, request) : null,
    );
    this.#venue = this.#openVenue();
  }

  /** A world without traders: a two-sided foreign book of 500 shares at 0.40 and 0.60 in every quoted market. */
  static quiet(options: WorldOptions = {}): World {
    const { exchange = (settings) => settings } = options;
    const world = new World({
      ...options,
      exchange: (settings) => ({ ...exchange(settings), participants: [] }),
    });
    world.makeBook();
    return world;
  }

  get venue(): VirtualVenue {
    return this.#venue;
  }

  get now(): Micros {
    return this.clock.now();
  }

  /** @returns a bot that has begun; the latest one is {@link bot} */
  async start(changes: BotChanges = {}): Promise<SimulatedBot> {
    const settings = (changes.settings ?? ((same) => same))(this.#loaded.settings);
    const address = { restUrl: 'http://venue.test', realtime: { key: 'k', host: 'venue.test', port: 80 } };
    const bot = await SimulatedBot.start({
      settings,
      source: this.#loaded.source,
      venue: bundledVenueOf(this.exchangeSettings, address),
      account: MAKER,
      runId: `run-${this.#bots.length + 1}`,
      clock: this.clock,
      random: this.#random.fork('bot'),
      network: this.network,
      transport: this.transport,
      journal: this.journal,
      change: changes.engine ?? ((same) => same),
      observer: changes.observer ?? null,
    });
    this.#bots.push(bot);
    return bot;
  }

  /** Lets so much time pass. What a message sets off within the process happens before the next one. */
  async run(ms: number): Promise<void> {
    const until = (this.now + ms * 1_000) as Micros;
    await processed();
    for (let next = this.clock.nextAt; next !== null && next <= until; next = this.clock.nextAt) {
      this.clock.advanceTo(next > this.now ? next : this.now);
      await processed();
    }
    this.clock.advanceTo(until);
  }

  /** @throws Error when it does not become true within so much time */
  async runUntil(what: string, isTrue: () => boolean, withinMs = 60_000): Promise<void> {
    for (let ms = 0; ms < withinMs; ms += 10) {
      if (isTrue()) return;
      await this.run(10);
    }
    throw new Error(`after ${withinMs} ms still not: ${what}`);
  }

  /** A limit order of the maker's own hand. @returns its id */
  byHand({ marketId: id, price }: { readonly marketId: number; readonly price: number }): number {
    return this.place(MAKER, { marketId: id, side: 'bid', position: 'long', price, shares: 500 });
  }

  /** A two-sided foreign book of 500 shares at 0.40 and 0.60 in every quoted market. */
  makeBook(): void {
    for (const market of QUOTED)
      for (const position of ['long', 'short'] as const)
        this.place(RIVAL, { marketId: market, side: 'bid', position, price: 4_000, shares: 50_000 });
  }

  /** An order of anybody, straight into the exchange. @returns its id */
  place(account: AccountId, order: PlainOrder): OrderId {
    const outcome = this.#venue.execute({
      kind: 'place-order',
      account,
      request: null,
      order: {
        eventId: null,
        currency: 'OOM',
        amount: null,
        expiresAt: null,
        cancelConflicting: false,
        ...order,
        marketId: marketId(order.marketId),
      },
    });
    if (!outcome.ok) throw new Error(`refused: ${JSON.stringify(outcome.refusal)}`);
    return outcome.order.id;
  }

  /** The exchange dies with everything it remembers, and its connections with it. */
  killVenue(): void {
    this.#isListening = false;
    this.#venue.close();
    for (const { feed } of this.#bots) {
      feed.isReachable = false;
      feed.lose('connection closed', 500);
    }
  }

  /** A new exchange listens where the old one did. @param keeps whether it remembers what the old one knew */
  restartVenue(keeps: 'memory' | 'nothing'): void {
    if (keeps === 'nothing') this.#venue = this.#openVenue();
    else this.#venue.open();
    this.#isListening = true;
    for (const { feed } of this.#bots) feed.isReachable = true;
  }

  #openVenue(): VirtualVenue {
    const venue = new VirtualVenue({
      settings: this.exchangeSettings,
      file: FILE,
      clock: this.clock,
      random: this.#random.fork('venue'),
      onEvents: (events) => this.#publish(venue, events),
    });
    venue.open();
    return venue;
  }

  #publish(venue: VirtualVenue, events: readonly ExchangeEvent[]): void {
    for (const { feed } of this.#bots) feed.publish(events, venue.exchange);
  }
}

/** Everything that was promised and can be done without time passing is done. */
const processed = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
