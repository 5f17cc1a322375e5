/** The house of the simulations with Harbour as its venue: the same bot, the same mishaps, the same record. */
import { fileURLToPath } from 'node:url';
import { bundledVenueOf } from '../../../src/runs/exchange/exchange.js';
import type { Random } from '../../../src/core/ports/random.js';
import type { Command, OutcomeOf } from '../../../src/exchange/contract.js';
import * as ids from '../../../src/domain/ids.js';
import { type Micros, micros, PRICE_ONE } from '../../../src/domain/units.js';
import { bookSide } from '../../../src/domain/vocabulary.js';
import { type BotSettings, type ExchangeSettings, loadBotSettings } from '../../../src/settings/index.js';
import { seededRandom } from '../../../src/storage/clocks/seeded-random.js';
import { passTime, VirtualClock } from '../clocks/virtual-clock.js';
import { MemoryJournal } from '../disk/memory-journal.js';
import { LATEST } from '../simulation/edition.js';
import { Host } from '../simulation/host.js';
import { Network } from '../simulation/network.js';
import { UNCHANGED } from '../simulation/seam.js';
import { type BotEdges, SimulatedBot } from '../simulation/simulated-bot.js';
import { type Cause, VenueRecord } from '../simulation/venue-record.js';
import { type BotChanges, type HouseWorld, type PlainOrder, type WorldOptions } from '../simulation/world.js';
import { HarbourClient } from './client.js';
import { HarbourFeed } from './feed.js';
import { HarbourLine } from './line.js';
import type { TopicMessage } from './messages.js';
import { HARBOUR } from './profile.js';
import {
  bookView,
  eventName,
  eventsOf,
  HarbourPost,
  ledgerOf,
  MAKER,
  MAKER_ID,
  marketName,
  numberOf,
  orderView,
  tradesOf,
} from './records.js';
import { HarbourService } from './service.js';

const FILE = fileURLToPath(new URL('../../simulation/house.yaml', import.meta.url));
const BEGINNING = micros(1_767_225_600_000_000);
const OTHERS: Cause = { by: 'others' };
const SECRET = 'secret';
const RICH = 1_000_000_000_000;
const BEAT_MS = 100;
const QUOTED = [1_001, 2_001, 2_002];

/** What stories and persons do to a venue. */
type StoryCommand = Extract<
  Command,
  {
    readonly kind:
      | 'place-order'
      | 'cancel-order'
      | 'cancel-all'
      | 'update-batch'
      | 'deposit'
      | 'set-market-status'
      | 'set-event-status'
      | 'resolve-event'
      | 'reverse-event'
      | 'set-live';
  }
>;

export class HarbourWorld implements HouseWorld {
  readonly clock = new VirtualClock(BEGINNING);
  readonly record = new VenueRecord(() => this.clock.now());
  readonly network: Network;
  readonly struck = new Map<string, number>();
  readonly transport = { seen: { length: 0 } };
  readonly journal = new MemoryJournal();
  readonly exchangeSettings: ExchangeSettings;
  readonly startedAt = BEGINNING;
  readonly #random: Random;
  readonly #loaded = loadBotSettings(FILE, {});
  readonly #service: HarbourService;
  #lines: HarbourLine[] = [];
  #starting: Promise<SimulatedBot> | null = null;
  #started = 0;
  #hands = 0;
  #given: number;
  #isTrading = true;
  #isListening = true;
  #cause: Cause = OTHERS;

  constructor({ seed = 1, exchange = (same) => same }: WorldOptions) {
    this.#random = seededRandom(seed);
    this.network = new Network(this.clock, this.#random.fork('network'));
    const drawn = exchange(this.#loaded.settings.exchange!);
    const none = { taker: 0, maker: 0 } as ExchangeSettings['fees']['play_money'];
    this.exchangeSettings = { ...drawn, bookCacheMs: 0, fees: { ...drawn.fees, play_money: none } };
    const cash = drawn.accounts.find(({ id }) => id === MAKER_ID)!.balances.OOM ?? 0;
    this.#given = cash + 2 * RICH;
    this.#service = new HarbourService({
      now: () => this.clock.now(),
      events: drawn.events.map((one) => ({
        event: eventName(one.id),
        name: one.title,
        exclusive: one.resolutionMode === 'exclusive',
      })),
      markets: drawn.events.flatMap(({ id: event, markets }) =>
        markets.map(({ id, title: name, tickSize: tick }) => ({
          event: eventName(event),
          market: marketName(id),
          name,
          tick,
        })),
      ),
      accounts: { [MAKER]: cash, rival: RICH, crowd: RICH },
      secrets: { [MAKER]: SECRET },
      onSaid: (topic, message) => this.#said(topic, message),
      onFill: (fill) => {
        if (fill.account === MAKER) this.#note(tradesOf(fill));
      },
    });
    this.#beat();
    this.#trade(this.#random.fork('traders'));
  }

  get isListening(): boolean {
    return this.#isListening;
  }

  get botSettings(): BotSettings {
    return this.#loaded.settings;
  }

  get now(): Micros {
    return this.clock.now();
  }

  readonly venue: HouseWorld['venue'] = {
    exchange: {
      ledger: () => ledgerOf(this.#service.harbour, this.#given),
      orders: (_account, { status }) => {
        const results = this.#service.harbour
          .orders(MAKER)
          .map(orderView)
          .filter((order) => order.status === status);
        return { total: results.length, offset: 0, pageSize: results.length, results };
      },
      book: (market, _mode, position) => bookView(this.#service.harbour, market, position),
    },
    // Of what a venue can do wrong by itself Harbour has one thing: to turn every request away.
    faults: {
      replace: ({ rules }) => {
        const all = rules.find((rule) => rule.kind === 'rate_limit' && rule.probability === 1);
        this.#service.throttles = { left: all === undefined ? 0 : Infinity, retryMs: all?.ms ?? null };
      },
    },
    close: () => {
      this.#isTrading = false;
    },
  };

  async start(changes: BotChanges = {}): Promise<SimulatedBot> {
    const change = changes.settings ?? ((same: BotSettings) => same);
    const settings = named(change(this.#loaded.settings));
    const host = changes.host ?? new Host(this.clock);
    this.#started += 1;
    const address = { restUrl: 'http://venue.test', realtime: { key: 'k', host: 'venue.test', port: 80 } };
    const venue = { ...bundledVenueOf(this.exchangeSettings, address), clockWindowS: 5 };
    this.#starting = SimulatedBot.start({
      settings,
      source: this.#loaded.source,
      venue,
      account: MAKER_ID,
      runId: `run-${this.#started}`,
      host,
      random: this.#random.fork('bot'),
      network: this.network,
      record: this.record,
      profile: HARBOUR,
      edges: (run) => this.#edgesOf(run),
      journal: this.journal,
      seam: changes.seam ?? UNCHANGED,
      change: changes.engine ?? ((same) => same),
      observer: changes.observer ?? null,
      onFrame: () => undefined,
      objection: changes.objection ?? (() => null),
      edition: LATEST,
    });
    return this.#starting;
  }

  async run(ms: number): Promise<void> {
    await passTime(this.clock, ms, () => this.#starting);
  }

  killVenue(): void {
    this.record.note({ kind: 'venue-down' });
    this.#isListening = false;
    for (const line of this.#lines) line.cut('the venue is away');
  }

  restartVenue(): 'same' {
    this.#isListening = true;
    this.record.note({ kind: 'venue-up' });
    return 'same';
  }

  takeSnapshot(): void {
    // Harbour keeps everything in memory.
  }

  tryPlace(_account: number, order: PlainOrder): OutcomeOf['place-order'] {
    return this.#place({ ...order, expiresAt: null });
  }

  /** The commands that stories know, as far as Harbour has something like them. */
  execute<C extends Command>(cause: Cause, command: C): OutcomeOf[C['kind']] {
    return this.#because(cause, () => this.#carryOut(command as StoryCommand)) as OutcomeOf[C['kind']];
  }

  #carryOut(command: StoryCommand): OutcomeOf[Command['kind']] {
    const { harbour } = this.#service;
    const isDone = { ok: true } as const;
    switch (command.kind) {
      case 'place-order':
        return this.#place({ ...command.order, shares: command.order.shares ?? 0 });
      case 'cancel-order':
        harbour.cancel(MAKER, `H-${command.orderId}`);
        return isDone;
      case 'cancel-all':
        harbour.cancelAll(MAKER, command.marketId === null ? null : marketName(command.marketId));
        return isDone;
      case 'update-batch':
        return this.#moved(command);
      case 'deposit':
        this.#given += command.amount;
        harbour.deposit(MAKER, command.amount);
        return isDone;
      case 'set-market-status': {
        const { marketId: market, status, betEnd } = command;
        if (status !== undefined) this.#setStatus(market, status);
        if (betEnd !== undefined) harbour.setMarket(marketName(market), { closes: betEnd });
        return isDone;
      }
      case 'set-event-status':
        for (const market of this.#marketsOf(command.eventId)) this.#setStatus(market, command.status);
        return isDone;
      case 'resolve-event':
        for (const { marketId: market, resolution } of command.resolutions)
          harbour.settle(
            marketName(market),
            ({ long: 'yes', short: 'no', void: 'void' } as const)[resolution as 'long' | 'short' | 'void'],
          );
        return isDone;
      case 'reverse-event':
        for (const market of this.#marketsOf(command.eventId)) harbour.reverse(marketName(market));
        return isDone;
      // Harbour has no play that is live.
      case 'set-live':
        return isDone;
    }
  }

  #setStatus(market: number, status: string): void {
    const { harbour } = this.#service;
    if (status === 'cancelled') harbour.settle(marketName(market), 'void');
    else
      harbour.setMarket(marketName(market), {
        state: status === 'active' || status === 'open' ? 'open' : 'halted',
      });
  }

  #marketsOf(event: number): readonly number[] {
    return this.#service.harbour.event(eventName(event)).markets.map(({ market }) => numberOf(market));
  }

  #place(
    order: Pick<PlainOrder, 'marketId' | 'side' | 'position' | 'shares'> & {
      readonly price: number | null;
      readonly expiresAt: Micros | null;
    },
  ): OutcomeOf['place-order'] {
    const { marketId: market, side, position, price, shares, expiresAt } = order;
    const { tick } = this.#service.harbour
      .event(eventName(this.#eventOf(market)))
      .markets.find((one) => one.market === marketName(market))!;
    const way = bookSide(side, position) === 'bid' ? 'buy' : 'sell';
    const own = position === 'long' || price === null ? price : PRICE_ONE - price;
    const placed = this.#because({ by: 'hand' }, () =>
      this.#service.harbour.place(MAKER, {
        cid: `hand-${++this.#hands}`,
        market: marketName(market),
        side: way,
        reduce: side === 'ask',
        price: own ?? (way === 'buy' ? PRICE_ONE - tick : tick),
        size: shares,
        post: false,
        expires: expiresAt,
      }),
    );
    if (!placed.ok) return { ok: false, refusal: { code: 'MarketClosed' } };
    // Harbour has no orders that take or go: a hand cancels what is left.
    if (price === null) this.#service.harbour.cancel(MAKER, placed.value.id);
    return { ok: true, order: orderView(placed.value), cancelledIds: [] };
  }

  #moved({ updates }: Extract<Command, { kind: 'update-batch' }>): OutcomeOf['update-batch'] {
    const { harbour } = this.#service;
    const items = updates.map(({ orderId, price }) => {
      const [old] = harbour.orders(MAKER).filter(({ id }) => id === `H-${orderId}`);
      const view = old === undefined ? null : orderView(old);
      if (view === null || !harbour.cancel(MAKER, `H-${orderId}`).ok)
        return { ok: false, why: { code: 'not-open' }, orderId } as const;
      const outcome = this.#place({
        ...view,
        price: price!,
        shares: view.shares - view.filled,
        expiresAt: null,
      });
      return outcome.ok
        ? ({ ok: true, value: outcome.order, orderId } as const)
        : ({ ok: false, why: { code: 'lost' }, orderId } as const);
    });
    return { ok: true, items };
  }

  #eventOf(market: number): number {
    return this.exchangeSettings.events.find(({ markets }) => markets.some(({ id }) => id === market))!.id;
  }

  #edgesOf({ runId: run, host, settings }: { runId: string; host: Host; settings: BotSettings }): BotEdges {
    const { record, network } = this;
    const post = new HarbourPost({
      record,
      run,
      because: (letter, act) => this.#because({ by: 'letter', letter }, act),
      onLeft: () => {
        this.transport.seen.length += 1;
      },
    });
    const service = (): HarbourService | null => (this.#isListening ? this.#service : null);
    const line = new HarbourLine({ host, network, service, observer: post });
    this.#lines = [...this.#lines.filter(({ isOpen }) => isOpen), line];
    const { clock } = host;
    const client = new HarbourClient({ line, clock, account: MAKER, secret: SECRET, timeoutMs: 5_000 });
    const feed = new HarbourFeed({
      line,
      clock,
      events: settings.events.map(({ id }) => String(id)),
      account: MAKER,
      prove: (text) => client.sign(text),
      onTaken: (topic, told) => post.told(topic, told),
    });
    feed.streams.link.subscribe(({ state }) => {
      if (state === 'lost') post.lost();
    });
    feed.streams.subscription.subscribe(({ about, state, reason }) => {
      if (about.kind !== 'account' || state !== 'subscribed') return;
      if (reason === '') post.joined();
      else post.lost();
    });
    return { feed, client, line: { lose: (reason, againAfterMs) => line.cut(reason, againAfterMs) } };
  }

  #said(topic: string, message: TopicMessage): void {
    this.#note(eventsOf(topic, message));
  }

  #note(events: ReturnType<typeof eventsOf>): void {
    if (events.length > 0) this.record.note({ kind: 'said', cause: this.#cause, events });
  }

  #because<Result>(cause: Cause, act: () => Result): Result {
    const before = this.#cause;
    this.#cause = cause;
    try {
      return act();
    } finally {
      this.#cause = before;
    }
  }

  #beat(): void {
    this.#service.harbour.beat();
    this.network.after(BEAT_MS, () => this.#beat());
  }

  /** A maker who follows a fair value that wanders, and a crowd that takes. */
  #trade(random: Random): void {
    const { harbour } = this.#service;
    const fair = new Map(QUOTED.map((market) => [market, 5_000]));
    let orders = 0;
    const place = (
      account: string,
      market: number,
      side: 'buy' | 'sell',
      price: number,
      size: number,
    ): void => {
      const cid = `${account}-${++orders}`;
      const order = { cid, market: marketName(market), side, price, size, reduce: false, post: false };
      const placed = harbour.place(account, { ...order, expires: null });
      if (account === 'crowd' && placed.ok) harbour.cancel(account, placed.value.id);
    };
    const quote = (): void => {
      if (!this.#isTrading) return;
      for (const market of QUOTED) {
        const next = Math.min(8_000, Math.max(2_000, fair.get(market)! + 100 * (random.below(3) - 1)));
        fair.set(market, next);
        harbour.cancelAll('rival', marketName(market));
        place('rival', market, 'buy', next - 300, 2_000 + 100 * random.below(40));
        place('rival', market, 'sell', next + 300, 2_000 + 100 * random.below(40));
      }
      this.network.after(1_000, quote);
    };
    const take = (): void => {
      if (!this.#isTrading) return;
      const side = random.below(2) === 0 ? 'buy' : 'sell';
      place(
        'crowd',
        QUOTED[random.below(3)]!,
        side,
        side === 'buy' ? 9_900 : 100,
        100 * (1 + random.below(12)),
      );
      this.network.after(500 + random.below(1_500), take);
    };
    quote();
    take();
  }
}

/** The bot's settings with Harbour's names. */
const named = (settings: BotSettings): BotSettings => ({
  ...settings,
  events: settings.events.map((event) => ({
    ...event,
    id: ids.eventId(eventName(Number(event.id))),
    markets: event.markets.map((market) => ({ ...market, id: ids.marketId(marketName(Number(market.id))) })),
  })),
  instances: settings.instances.map((instance) => ({
    ...instance,
    markets: instance.markets.map((market) => ids.marketId(marketName(Number(market)))),
  })),
});
