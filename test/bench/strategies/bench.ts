/**
 * What one question to a strategy costs: the answer is checked, rounded to the grid, and its state kept. `pass`: `glft`
 * over the books of 10,000 markets, from the mirror on.
 */
import { NO_OWN_LEVELS } from '../../../src/core/mirror/books/foreign-book.js';
import { bookViewOf } from '../../../src/core/engine/quoting/book-view.js';
import { withModifiers } from '../../../src/core/strategy/modifiers.js';
import { checkParameters } from '../../../src/core/strategy/parameters.js';
import type { AnyStrategy } from '../../../src/core/strategy/registry.js';
import { StrategyInstance } from '../../../src/core/strategy/instance.js';
import { MarketSignals } from '../../../src/core/strategy/signals/market-signals.js';
import type { ContextWithoutInstance } from '../../../src/core/strategy/context.js';
import { type MarketId, marketId } from '../../../src/domain/ids.js';
import { UsageError } from '../../../src/domain/errors.js';
import { bundledStrategies, loadModifier, loadStrategy } from '../../../src/runs/strategies/strategies.js';
import {
  bookOf,
  eventContextOf,
  eventOf,
  inventoryOf,
  marketOf,
  roomOf,
} from '../../../src/runs/strategies/testing.js';
import { seededRandom } from '../../../src/storage/clocks/seeded-random.js';
import { benchOptions, median, printFigure } from '../figures.js';
import { OddsmithSubject } from '../mirror/mirrors.js';
import { eventsOf, START, Updates } from '../mirror/updates.js';
import { fresh } from '../processes.js';

/** Three that remember nothing, and three of which two remember fills and mids. */
const PLAIN = ['near-extremes', 'min-edge', 'time-to-close'];
const REMEMBERING = ['near-extremes', 'jump', 'toxicity'];
/** It takes, and quotes nothing. */
const TAKERS = ['outcome-arbitrage', 'unwind'];
const MARKETS = 100;
const CONTEXTS = 2_000;
const EVENTS = 200;
const OUTCOMES = 10;
const BOOKS = 10_000;
const WARM_UP_PASSES = 30;
const COUNTED_PASSES = 70;
const TICK_UNITS = 100;
/** From the id of a market to that of the other outcome of its event. */
const OTHERS = 1_000_000;

/** One measurement in a process of its own. */
export interface Job {
  readonly strategy: string;
  readonly modifiers: readonly string[];
  readonly measure: 'quote' | 'pass';
}

const jobs = (): ReadonlyMap<string, Job> =>
  new Map<string, Job>([
    ...bundledStrategies()
      .filter((strategy) => !TAKERS.includes(strategy))
      .map((strategy) => [strategy, { strategy, modifiers: [], measure: 'quote' } as const] as const),
    ['glft-modified', { strategy: 'glft', modifiers: PLAIN, measure: 'quote' }],
    ['glft-remembering', { strategy: 'glft', modifiers: REMEMBERING, measure: 'quote' }],
    ['pass', { strategy: 'glft', modifiers: [], measure: 'pass' }],
  ]);

/** Measures every case once a round, and prints it. */
export async function run(args: string[]): Promise<void> {
  const all = jobs();
  const { rounds, cases } = benchOptions(args, [...all.keys()]);
  const values = new Map<string, number[]>(cases.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++)
    for (const name of cases) values.get(name)!.push(await fresh<number>('strategies', all.get(name)!));
  for (const [name, measured] of values) {
    const what = name === 'pass' ? { figure: 'pass', unit: 'ms' } : { figure: 'quote', unit: 'ns' };
    printFigure({ bench: 'strategies', case: name, engine: 'oddsmith', ...what, values: measured });
  }
}

/** @returns nanoseconds a question, or milliseconds a pass, of the middle one */
export async function job({ strategy: name, modifiers, measure }: Job): Promise<number> {
  const strategy = await loaded(name, modifiers);
  if (measure === 'pass') return msPerPass(strategy);
  return 'scope' in strategy && strategy.scope === 'event' ? nsPerEvent(strategy) : nsPerQuote(strategy);
}

async function loaded(name: string, modifiers: readonly string[]): Promise<AnyStrategy> {
  const uses = [];
  for (const each of modifiers) {
    const modifier = await loadModifier(each, '');
    uses.push({ modifier, parameters: defaultsOf(modifier) });
  }
  return withModifiers(await loadStrategy(name, ''), uses);
}

function defaultsOf({ params }: Pick<AnyStrategy, 'params'>): Readonly<Record<string, unknown>> {
  const check = checkParameters(params, {});
  if (check.ok) return check.values;
  throw new UsageError(check.issues.map(({ name }) => name).join(', '));
}

/** An instance, and the signals of each of its markets. */
interface Asked {
  readonly instance: StrategyInstance;
  readonly signals: ReadonlyMap<MarketId, MarketSignals>;
}

function instanceOf(strategy: AnyStrategy, markets: readonly MarketId[]): Asked {
  const instance = new StrategyInstance({
    name: 'bench',
    strategy,
    parameters: defaultsOf(strategy),
    tickUnits: new Map(
      markets.flatMap((id) => [id, marketId(Number(id) + OTHERS)]).map((id) => [id, TICK_UNITS]),
    ),
  });
  const signals = new Map(markets.map((id) => [id, new MarketSignals(false)]));
  for (const one of signals.values()) one.declare(instance.signals);
  return { instance, signals };
}

/** Mids that walk by a cent, holdings that change with them: fills to judge, no jumps. */
function nsPerQuote(strategy: AnyStrategy): number {
  const random = seededRandom(1);
  const mids = Array.from({ length: MARKETS }, () => 30 + random.below(40));
  const contexts = Array.from({ length: CONTEXTS }, (_, at) => {
    const place = at % MARKETS;
    const moved = mids[place]! + random.below(3) - 1;
    mids[place] = Math.min(75, Math.max(25, moved));
    const id = 1 + place;
    return contextOf(id, at, bookOf(moved / 100 - 0.01, moved / 100 + 0.01), random.below(60) - 30);
  });
  const markets = contexts.slice(0, MARKETS).map(({ market }) => market.id);
  let quotes = 0;
  const ms = msPerRepetition(() => {
    // Time begins anew, so does what the strategy remembers.
    const instance = instanceOf(strategy, markets);
    quotes = 0;
    for (const context of contexts) quotes += quotesOf(instance, context);
  });
  expectQuotes(quotes, CONTEXTS);
  return (ms * 1e6) / CONTEXTS;
}

/** Events of ten outcomes, all asked at once, whose mids walk by a cent. */
function nsPerEvent(strategy: Extract<AnyStrategy, { scope: 'event' }>): number {
  const random = seededRandom(1);
  const contexts = Array.from({ length: EVENTS }, () =>
    eventContextOf(strategy, {
      markets: Array.from({ length: OUTCOMES }, (_, at) => {
        const mid = 0.1 + (random.below(3) - 1) / 100;
        const fair = { p: mid, ageMs: 0, confidence: 1 };
        const inventory = inventoryOf(random.below(60) - 30);
        return { market: marketOf({ id: 1 + at }), book: bookOf(mid - 0.01, mid + 0.01), fair, inventory };
      }),
    }),
  );
  const ids = contexts[0]!.markets.map(({ market }) => market.id);
  let quotes = 0;
  const ms = msPerRepetition(() => {
    const { instance } = instanceOf(strategy, ids);
    quotes = 0;
    for (const context of contexts) {
      const decision = instance.decideEvent(context, ids);
      if (!decision.ok) throw new Error(decision.fault.text);
      for (const { bids, asks } of decision.intents) quotes += bids.length + asks.length;
    }
  });
  expectQuotes(quotes, EVENTS * OUTCOMES);
  return (ms * 1e6) / EVENTS;
}

function msPerPass(strategy: AnyStrategy): number {
  const events = eventsOf(BOOKS);
  const ids = events.flatMap((event) => event.markets.map((market) => market.id));
  const { mirror } = booksOf(ids, events);
  const instance = instanceOf(strategy, ids);
  let quotes = 0;
  const ms = msPerRepetition(() => {
    quotes = 0;
    for (const id of ids) {
      const book = bookViewOf(mirror.look(id, NO_OWN_LEVELS, START));
      quotes += quotesOf(instance, contextOf(Number(id), 0, book, 10));
    }
  });
  expectQuotes(quotes, BOOKS);
  return ms;
}

function booksOf(ids: readonly MarketId[], events: ReturnType<typeof eventsOf>): OddsmithSubject {
  const subject = new OddsmithSubject(events);
  for (const id of ids) {
    const update = new Updates([id], 1).next();
    subject.apply(update);
  }
  return subject;
}

const MARKET = marketOf();
const EVENT = eventOf({ msToClose: 900_000 });
const RANDOM = seededRandom(1);
const ROOM = roomOf();

const contextOf = (
  id: number,
  at: number,
  book: ContextWithoutInstance['book'],
  net: number,
): ContextWithoutInstance => ({
  market: { ...MARKET, id: marketId(id) },
  event: EVENT,
  book,
  inventory: inventoryOf(net),
  working: [],
  signals: {},
  fills: [],
  trades: [],
  fair: book.weightedMid === null ? null : { p: book.weightedMid, ageMs: 0, confidence: 1 },
  nowMs: 1_786_000_000_000 + at * 10,
  random: RANDOM,
  room: ROOM,
  log: () => undefined,
});

/** @throws Error when the strategy was stopped */
function quotesOf({ instance, signals }: Asked, context: ContextWithoutInstance): number {
  const { market, book, fair, nowMs, event } = context;
  const measured = signals.get(market.id)!;
  measured.look(() => ({ nowMs, book, fair, msToClose: event.msToClose }));
  Object.assign(context, { signals: measured.views });
  const { strategy } = instance;
  const isOfEvent = 'quote' in strategy && strategy.scope === 'event';
  const decision = isOfEvent ? askEvent(instance, context) : instance.decide(context);
  if (!decision.ok) throw new Error(decision.fault.text);
  const [intent] = decision.intents;
  return intent === undefined ? 0 : intent.bids.length + intent.asks.length;
}

/** Of two outcomes, of which the other is the mirror image of this one. */
function askEvent(instance: StrategyInstance, context: ContextWithoutInstance) {
  const { market, book, fair, nowMs, random, log } = context;
  const id = marketId(Number(market.id) + OTHERS);
  const other = {
    ...context,
    market: { ...market, id },
    book: bookOf(1 - book.ask!, 1 - book.bid!),
    fair: { p: 1 - fair!.p, ageMs: 0, confidence: 1 },
  };
  const markets = [context, other];
  const seen = markets.map((one) => ({
    id: one.market.id,
    weightedMid: one.book.weightedMid,
    fair: one.fair!.p,
    inventory: one.inventory.net,
    halted: false,
  }));
  const event = { ...EVENT, winners: { least: 1, most: 1 }, exhaustive: true, markets: seen };
  return instance.decideEvent({ event, markets, nowMs, random, log }, [market.id, id]);
}

/** @throws Error when half of the answers were empty: something else was measured */
function expectQuotes(quotes: number, asked: number): void {
  if (quotes < asked) throw new Error(`${quotes} quotes came of ${asked} questions`);
}

/** In processor time, for these loops never wait and the machine may be shared. */
function msPerRepetition(repeat: () => void): number {
  const passes: number[] = [];
  for (let pass = 0; pass < WARM_UP_PASSES + COUNTED_PASSES; pass++) {
    const before = process.cpuUsage();
    repeat();
    const { user, system } = process.cpuUsage(before);
    passes.push((user + system) / 1_000);
  }
  return median(passes.slice(WARM_UP_PASSES));
}
