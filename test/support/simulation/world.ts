/**
 * The house of `test/simulation/house.yaml` in virtual time: an exchange with its participants, a network whose faults
 * a seed decides, and bots that trade over it. Two worlds of the same seed and the same test live the same life.
 */
import { fileURLToPath } from 'node:url';
import { bundledVenueOf } from '../../../src/runs/exchange/exchange.js';
import { type AccountId, accountId, marketId, type OrderId } from '../../../src/exchange/contract/ids.js';
import type { FeedInput } from '../../../src/domain/inputs.js';
import { type Micros, micros } from '../../../src/domain/units.js';
import type { Currency, Position, Side } from '../../../src/domain/vocabulary.js';
import type { EngineObserver } from '../../../src/core/engine/observing/observer.js';
import type { EngineOptions } from '../../../src/core/engine/options.js';
import type { Command, ExchangeEvent, OutcomeOf } from '../../../src/exchange/contract.js';
import type { Random } from '../../../src/core/ports/random.js';
import { seededRandom } from '../../../src/storage/clocks/seeded-random.js';
import { passTime, VirtualClock } from '../clocks/virtual-clock.js';
import {
  type BotSettings,
  type ExchangeSettings,
  loadBotSettings,
  venueOfShard,
} from '../../../src/settings/index.js';
import type { Served, WireRequest } from '../../../src/exchange-server/http/pipeline.js';
import type { RawFrame } from '../../../src/venues/futuur/realtime/feed.js';
import type { FaultPlan } from '../../../src/venues/simulated/models/faults.js';
import type { AuditedExchange } from './auditor/rule.js';
import { MemoryJournal } from '../disk/memory-journal.js';
import { type Edition, LATEST } from './edition.js';
import { Host } from './host.js';
import { Network } from './network.js';
import { type Seam, UNCHANGED } from './seam.js';
import { SimulatedBot, type SimulatedBotOptions } from './simulated-bot.js';
import { type Cause, type Letter, VenueRecord } from './venue-record.js';
import { VenueMemory } from './venue-memory.js';
import { VirtualTransport } from './virtual-transport.js';
import { VirtualVenue } from './virtual-venue.js';

const FILE = fileURLToPath(new URL('../../simulation/house.yaml', import.meta.url));
export const MAKER = accountId(1);
export const RIVAL = accountId(2);
const QUOTED = [1_001, 2_001, 2_002] as const;
/** When every world begins. */
export const BEGINNING = micros(1_767_225_600_000_000);

export interface WorldOptions {
  readonly seed?: number;
  readonly exchange?: (settings: ExchangeSettings) => ExchangeSettings;
  /** What its traders take it for; for what it is when left out. */
  readonly opinion?: (settings: ExchangeSettings) => ExchangeSettings;
}

/** Price units of the position, share units. */
export interface PlainOrder {
  readonly marketId: number;
  readonly side: Side;
  readonly position: Position;
  readonly price: number;
  readonly shares: number;
  /** Play money when left out. */
  readonly currency?: Currency;
}

export interface BotChanges {
  readonly settings?: (settings: BotSettings) => BotSettings;
  readonly engine?: (options: EngineOptions) => EngineOptions;
  readonly observer?: EngineObserver;
  /** Told of every frame as it was received, as a recorder is. */
  readonly onFrame?: (frame: RawFrame, input: FeedInput) => void;
  /** The machine it runs on; one with the true time when left out. */
  readonly host?: Host;
  readonly seam?: Seam;
  /** Why no order may leave, whatever the engine says; null: it may. */
  readonly objection?: () => string | null;
  /** How it lives; as in the latest when left out. */
  readonly edition?: Edition;
  /** How it is connected; as a bot with the maker's keys when left out. */
  readonly edges?: NonNullable<SimulatedBotOptions['edges']>;
  /** Where it writes down its orders; one that all bots of the maker share when left out. */
  readonly journal?: MemoryJournal;
}

/** What a house needs of the world that it stands in. */
export interface HouseWorld extends Pick<
  World,
  | 'record'
  | 'network'
  | 'struck'
  | 'journal'
  | 'exchangeSettings'
  | 'isListening'
  | 'botSettings'
  | 'startedAt'
  | 'now'
  | 'start'
  | 'run'
  | 'tryPlace'
  | 'execute'
  | 'killVenue'
  | 'restartVenue'
  | 'takeSnapshot'
  | 'clock'
> {
  readonly transport: { readonly seen: { readonly length: number } };
  readonly venue: {
    readonly exchange: AuditedExchange;
    readonly faults: { replace(plan: FaultPlan): void };
    close(): void;
  };
}

const same = (settings: ExchangeSettings): ExchangeSettings => settings;
const OTHERS: Cause = { by: 'others' };
const HAND: Cause = { by: 'hand' };

export class World {
  readonly clock = new VirtualClock(BEGINNING);
  readonly record = new VenueRecord(() => this.clock.now());
  readonly network: Network;
  /** How often each fault of the venue struck. */
  readonly struck = new Map<string, number>();
  readonly transport: VirtualTransport;
  readonly journal = new MemoryJournal();
  readonly exchangeSettings: ExchangeSettings;
  readonly #opinion: ExchangeSettings;
  readonly #random: Random;
  readonly #loaded = house();
  #bots: SimulatedBot[] = [];
  #started = 0;
  /** The bot that is about to begin: loading it takes no virtual time. */
  #starting: Promise<SimulatedBot> | null = null;
  #memory = new VenueMemory();
  #venue: VirtualVenue;
  #isListening = true;
  #cause: Cause = OTHERS;

  constructor({ seed = 1, exchange = same, opinion = same }: WorldOptions = {}) {
    this.#random = seededRandom(seed);
    this.exchangeSettings = exchange(this.#loaded.settings.exchange!);
    this.#opinion = opinion(this.exchangeSettings);
    this.network = new Network(this.clock, this.#random.fork('network'));
    const serve = (letter: Letter, request: WireRequest): Served => this.#serve(letter, request);
    this.transport = new VirtualTransport(this.network, this.record, () =>
      this.#isListening ? serve : null,
    );
    this.#venue = this.#buildVenue();
    this.#venue.open();
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

  /** Whether anybody answers at the venue's address. */
  get isListening(): boolean {
    return this.#isListening;
  }

  get source(): SimulatedBotOptions['source'] {
    return this.#loaded.source;
  }

  /** The bot's configuration, before anybody changes it. */
  get botSettings(): BotSettings {
    return this.#loaded.settings;
  }

  get startedAt(): Micros {
    return BEGINNING;
  }

  get now(): Micros {
    return this.clock.now();
  }

  /** @returns a bot that has begun; the latest one is {@link bot} */
  async start(changes: BotChanges = {}): Promise<SimulatedBot> {
    const settings = (changes.settings ?? ((same) => same))(this.#loaded.settings);
    const host = changes.host ?? new Host(this.clock);
    this.#started += 1;
    const address = { restUrl: 'http://venue.test', realtime: { key: 'k', host: 'venue.test', port: 80 } };
    this.#starting = SimulatedBot.start({
      settings,
      source: this.#loaded.source,
      venue: venueOfShard(bundledVenueOf(this.exchangeSettings, address), settings),
      account: MAKER,
      runId: `run-${this.#started}`,
      host,
      random: this.#random.fork('bot'),
      network: this.network,
      record: this.record,
      transport: this.transport,
      journal: changes.journal ?? this.journal,
      ...(changes.edges !== undefined && { edges: changes.edges }),
      seam: changes.seam ?? UNCHANGED,
      change: changes.engine ?? ((same) => same),
      observer: changes.observer ?? null,
      onFrame: changes.onFrame ?? (() => undefined),
      objection: changes.objection ?? (() => null),
      edition: changes.edition ?? LATEST,
    });
    const bot = await this.#starting;
    this.#bots = [...this.#bots.filter((one) => !one.host.isDead && one.end === null), bot];
    return bot;
  }

  /** Lets so much time pass. What a message sets off within the process happens before the next one. */
  async run(ms: number): Promise<void> {
    await passTime(this.clock, ms, () => this.#starting);
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

  /** An order of anybody, straight into the exchange; the maker's is one by hand. @returns its id */
  place(account: AccountId, order: PlainOrder): OrderId {
    const outcome = this.tryPlace(account, order);
    if (!outcome.ok) throw new Error(`refused: ${JSON.stringify(outcome.refusal)}`);
    return outcome.order.id;
  }

  /** The same, and the exchange may say no. */
  tryPlace(account: AccountId, order: PlainOrder): OutcomeOf['place-order'] {
    return this.execute(account === MAKER ? HAND : OTHERS, {
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
  }

  /** A command that comes over no network: a hand's, or an administrator's. */
  execute<C extends Command>(cause: Cause, command: C): OutcomeOf[C['kind']] {
    return this.#because(cause, () => this.#venue.execute(command));
  }

  /** The exchange dies with everything it remembers, and its connections with it. */
  killVenue(): void {
    this.#isListening = false;
    this.record.note({ kind: 'venue-down' });
    this.#venue.close();
    for (const { line } of this.#bots) {
      line.isReachable = false;
      line.lose('connection closed', 500);
    }
  }

  /**
   * A new exchange listens where the old one did.
   * @param keeps whether it remembers what the old one knew
   * @returns whether it has the same books as the old one
   */
  restartVenue(keeps: 'memory' | 'disk' | 'nothing'): 'same' | 'another' {
    const before = ledgerOf(this.#venue);
    if (keeps === 'nothing') this.#memory = new VenueMemory();
    if (keeps !== 'memory') this.#venue = this.#buildVenue();
    const after = ledgerOf(this.#venue);
    this.#venue.open();
    this.#isListening = true;
    this.record.note({ kind: 'venue-up' });
    for (const { line } of this.#bots) line.isReachable = true;
    return before === after ? 'same' : 'another';
  }

  /** The exchange writes a snapshot, so that its log can begin anew. */
  takeSnapshot(): void {
    this.#memory.take(this.#venue.exchange.snapshot());
  }

  #serve(letter: Letter, request: WireRequest): Served {
    const cause = { by: 'letter', letter } as const;
    const served = this.#because(cause, () => this.#venue.serve(letter.endpoint, request));
    const { delivery } = served;
    const answer =
      delivery === 'reset' ? null : { status: delivery.answer.status, text: delivery.answer.text };
    this.record.note({ kind: 'served', letter, fault: this.#venue.faults.latest, answer });
    return served;
  }

  /** What the exchange says meanwhile was caused by this. */
  #because<Result>(cause: Cause, act: () => Result): Result {
    const before = this.#cause;
    this.#cause = cause;
    try {
      return act();
    } finally {
      this.#cause = before;
    }
  }

  #buildVenue(): VirtualVenue {
    const venue = new VirtualVenue({
      settings: this.exchangeSettings,
      opinion: this.#opinion,
      file: FILE,
      clock: this.clock,
      random: this.#random.fork('venue'),
      memory: this.#memory,
      struck: this.struck,
      onEvents: (events) => this.#publish(venue, events),
    });
    return venue;
  }

  #publish(venue: VirtualVenue, events: readonly ExchangeEvent[]): void {
    this.record.note({ kind: 'said', cause: this.#cause, events });
    for (const { line } of this.#bots) line.publish(events, venue.exchange, venue.frameFaults);
  }
}

const ledgerOf = ({ exchange }: VirtualVenue): string => JSON.stringify(exchange.ledger());

/** The file is read and checked once for all worlds. */
let read: ReturnType<typeof loadBotSettings> | null = null;
const house = (): ReturnType<typeof loadBotSettings> => (read ??= loadBotSettings(FILE, {}));
