/**
 * Folds the exchange stream of Betfair (`op: mcm`), as official files and recorders have it.
 *
 * Odds are prices of a winning unit: an amount at odds `o` is `amount x o` shares at `1 / o`. `atb` can be backed, so it offers
 * the long side; `atl` can be laid, so it bids for it. `trd` counts the amounts of both sides.
 */
import type { EventFile, MarketAbout, MarketLines } from './event-file.js';
import type { Settlement } from './import-options.js';
import { type FineLevel, FINE_ONE, Ladder } from './ladder.js';
import type { Session, VenueFold } from './session.js';

/** Grid of prices: 1 / odds has no grid of its own. In 0.00001. */
const USUAL_GRID = 100;
/** Prices without a ladder after which a file counts as BASIC. */
const BASIC_AFTER = 200;
/** Least reduction in percent that changes the odds of a win market. */
const LEAST_REDUCTION = 2.5;

interface RunnerDefinition {
  readonly id: number;
  readonly hc?: number;
  readonly status: string;
  readonly name?: string;
  readonly adjustmentFactor?: number;
}

interface MarketDefinition {
  readonly status: string;
  readonly inPlay: boolean;
  readonly eventId: string;
  readonly marketType?: string;
  readonly bettingType?: string;
  readonly numberOfWinners: number;
  readonly marketTime?: string;
  readonly name?: string;
  readonly runners: readonly RunnerDefinition[];
}

type Pairs = readonly (readonly [odds: number, size: number])[];
type Positions = readonly (readonly [place: number, odds: number, size: number])[];

interface RunnerChange {
  readonly id: number;
  readonly hc?: number;
  readonly atb?: Pairs;
  readonly atl?: Pairs;
  readonly batb?: Positions;
  readonly batl?: Positions;
  readonly trd?: Pairs;
  readonly ltp?: number;
}

interface MarketChange {
  readonly id: string;
  readonly marketDefinition?: MarketDefinition;
  readonly img?: boolean;
  readonly rc?: readonly RunnerChange[];
}

interface StreamMessage {
  readonly op?: string;
  readonly pt?: number;
  readonly mc?: readonly MarketChange[];
}

/** One runner, with its ladders by odds. */
class Runner {
  readonly back = new Ladder(-1);
  readonly lay = new Ladder(1);
  /** Best levels by place, of files that have no whole ladders. */
  readonly places = { back: [] as (readonly [number, number])[], lay: [] as (readonly [number, number])[] };
  /** Both amounts traded at odds, in hundredths. */
  readonly traded = new Map<number, number>();
  status = 'ACTIVE';
  lines!: MarketLines;
  /** Of the message at hand: changes of `traded`, and the best odds before it. */
  deltas: Map<number, number> | null = null;
  before: { readonly back: number; readonly lay: number } | null = null;

  constructor(
    readonly id: number,
    readonly handicap: number,
  ) {}

  *levels(side: 'bid' | 'ask'): Generator<FineLevel> {
    const { keys, sizes } = side === 'bid' ? this.lay : this.back;
    for (let at = 0; at < keys.length; at++) {
      const odds = keys[at]!;
      yield [FINE_ONE / odds, sharesOf(sizes[at]!, odds)];
    }
  }
}

class Market {
  readonly runners = new Map<string, Runner>();
  definition: MarketDefinition | null = null;
  isClosed = false;
  /** What removals since the market was last open leave of a bet on the others: 1 is all. */
  kept = 1;

  constructor(
    readonly id: string,
    readonly file: EventFile,
  ) {}

  get isOpen(): boolean {
    return this.definition?.status === 'OPEN';
  }
}

/** What a file shows of books. */
interface SeenTier {
  /** Line of its first price, and how many prices came while it showed no ladder. */
  line: number;
  prices: number;
  hasLadder: boolean;
}

export class BetfairFold implements VenueFold {
  private readonly seen = new Map<string, SeenTier>();
  private hasPlaces = false;
  private readonly markets = new Map<string, Market>();
  /** Markets that were not chosen, or have ended. */
  private readonly left = new Set<string>();

  constructor(private readonly session: Session) {}

  take(frame: unknown): void {
    const { op, pt, mc = [] } = frame as StreamMessage;
    if (op !== 'mcm') return this.session.unknownFrame(`op ${String(op)}`);
    if (!Number.isSafeInteger(pt)) this.session.refuse(`pt: expected Unix milliseconds, found ${String(pt)}`);
    for (const change of mc) this.change(change, pt!);
  }

  end(): void {
    for (const [file, { prices, hasLadder }] of this.seen)
      if (prices > 0 && !hasLadder) this.refuseBasic(file);
  }

  /** Words about the files, for `recording inspect`. */
  get tier(): string {
    if (this.hasPlaces) return 'ADVANCED';
    return [...this.seen.values()].some(({ hasLadder }) => hasLadder) ? 'PRO' : 'BASIC';
  }

  private change(change: MarketChange, at: number): void {
    if (this.left.has(change.id)) return;
    const market = this.market(change);
    if (market === null) return;
    if (market.isClosed) return this.session.count('afterClose');
    market.file.moment(at);
    const wasOpen = market.isOpen;
    const before = market.definition;
    if (change.marketDefinition !== undefined) this.define(market, change.marketDefinition);
    const touched = new Set<Runner>();
    if (change.img === true) this.replace(market, change.rc ?? [], touched);
    else for (const one of change.rc ?? []) touched.add(this.apply(market, one));
    for (const runner of touched) this.emit(market, runner, wasOpen || market.isOpen);
    if (change.marketDefinition !== undefined) this.say(market, before);
  }

  /** @returns null for a market that is not wanted @throws RecordingError for changes of a market that nothing defined */
  private market({ id, marketDefinition, img }: MarketChange): Market | null {
    const known = this.markets.get(id);
    if (known !== undefined) return known;
    const { session } = this;
    if (marketDefinition === undefined && img !== true)
      session.refuse(`changes of market ${id} come before its definition and its first image`);
    const venueEvent = marketDefinition?.eventId ?? null;
    if (!session.wants(id, venueEvent)) {
      this.left.add(id);
      return null;
    }
    const market = new Market(
      id,
      session.event(id, () => ({ venue: 'betfair', venueEvent, grid: USUAL_GRID })),
    );
    this.markets.set(id, market);
    return market;
  }

  private define(market: Market, definition: MarketDefinition): void {
    market.definition = definition;
    for (const { id, hc, status } of definition.runners) this.runner(market, id, hc).status = status;
  }

  private runner(market: Market, id: number, hc = 0): Runner {
    const key = `${id} ${hc}`;
    let runner = market.runners.get(key);
    if (runner === undefined) {
      runner = new Runner(id, hc);
      runner.lines = market.file.market(aboutOf(market, runner, this.session), runner);
      market.runners.set(key, runner);
    }
    return runner;
  }

  /** An image stands for everything before it. What was traded before it is no news. */
  private replace(market: Market, changes: readonly RunnerChange[], touched: Set<Runner>): void {
    const before = [...market.runners.values()].map((runner) => ({ runner, ...copyOf(runner) }));
    for (const { runner } of before) {
      runner.back.replace([]);
      runner.lay.replace([]);
      runner.places.back.length = 0;
      runner.places.lay.length = 0;
      if (changes.some(({ id, hc = 0, trd }) => id === runner.id && hc === runner.handicap && trd))
        runner.traded.clear();
      touched.add(runner);
    }
    for (const one of changes) touched.add(this.apply(market, one));
    for (const runner of touched) runner.deltas = null;
    const known = before.filter(({ back, lay }) => back.keys.length + lay.keys.length > 0);
    if (known.length === 0) return;
    const isSame = before.every(
      ({ runner, back, lay }) => back.equals(runner.back) && lay.equals(runner.lay),
    );
    this.session.count(isSame ? 'images' : 'jumps');
  }

  private apply(market: Market, change: RunnerChange): Runner {
    const runner = this.runner(market, change.id, change.hc);
    const { atb, atl, batb, batl, trd } = change;
    runner.before ??= { back: runner.back.keys[0] ?? 0, lay: runner.lay.keys[0] ?? Infinity };
    const hasLadder = atb !== undefined || atl !== undefined || batb !== undefined || batl !== undefined;
    this.countPrices(hasLadder, change.ltp);
    for (const [odds, size] of atb ?? []) this.set(runner.back, odds, size);
    for (const [odds, size] of atl ?? []) this.set(runner.lay, odds, size);
    if (batb !== undefined || batl !== undefined) this.applyPlaces(runner, change);
    for (const [odds, size] of trd ?? []) {
      runner.deltas ??= new Map();
      const hundredths = Math.round(size * 100);
      const delta = hundredths - (runner.traded.get(odds) ?? 0);
      if (delta !== 0) runner.deltas.set(odds, (runner.deltas.get(odds) ?? 0) + delta);
      if (hundredths === 0) runner.traded.delete(odds);
      else runner.traded.set(odds, hundredths);
    }
    return runner;
  }

  private set(ladder: Ladder, odds: number, size: number): void {
    if (size < 0) this.session.refuse(`a level of negative size: ${size} at odds of ${odds}`);
    if (!(odds > 1)) this.session.refuse(`expected odds above 1, found ${odds}`);
    ladder.set(odds, size);
  }

  private applyPlaces(runner: Runner, { batb = [], batl = [] }: RunnerChange): void {
    this.hasPlaces = true;
    for (const [place, odds, size] of batb) runner.places.back[place] = [odds, size];
    for (const [place, odds, size] of batl) runner.places.lay[place] = [odds, size];
    runner.back.replace(runner.places.back.filter((level) => level !== undefined && level[1] > 0));
    runner.lay.replace(runner.places.lay.filter((level) => level !== undefined && level[1] > 0));
  }

  private countPrices(hasLadder: boolean, price: number | undefined): void {
    const { file, line } = this.session;
    const seen = this.seen.get(file) ?? { line, prices: 0, hasLadder: false };
    this.seen.set(file, seen);
    seen.hasLadder ||= hasLadder;
    if (seen.hasLadder || price === undefined) return;
    seen.prices += 1;
    if (seen.prices > BASIC_AFTER) this.refuseBasic(file);
  }

  private refuseBasic(file: string): never {
    this.session.file = file;
    this.session.line = this.seen.get(file)!.line;
    return this.session.refuse(
      'last traded prices alone (BASIC tier); expected ladders of offers: get the ADVANCED or PRO tier',
    );
  }

  /** Trades and the book of a runner after all its entries in a message. */
  private emit(market: Market, runner: Runner, isOpen: boolean): void {
    const { deltas, before } = runner;
    runner.deltas = null;
    runner.before = null;
    market.file.change(runner.lines);
    if (deltas === null || deltas.size === 0) return;
    const all = [...deltas.values()];
    const total = all.reduce((sum, delta) => sum + delta, 0);
    const added = all.reduce((sum, delta) => sum + Math.max(0, delta), 0);
    if (added > total) this.session.count('restatements');
    if (total <= 0) return;
    if (!isOpen) return this.session.count('suspendedTrades');
    for (const [odds, delta] of deltas) {
      if (delta <= 0) continue;
      const amount = ((delta / 2) * (total / added)) / 100;
      market.file.trade(runner.lines, FINE_ONE / odds, sharesOf(amount, odds), takerOf(odds, before));
    }
  }

  /** @param before the definition before this one */
  private say(market: Market, before: MarketDefinition | null): void {
    const { status, inPlay, numberOfWinners, runners } = market.definition!;
    const isClosed = status === 'CLOSED';
    const winners = runners.filter((runner) => runner.status === 'WINNER').length;
    const share = numberOfWinners === 1 && winners > 1 ? 1 / winners : 1;
    const removed = runners.filter(
      (runner) => runner.status === 'REMOVED' && wasActive(before, runner) && reductionOf(market, runner) > 0,
    );
    for (const runner of removed) market.kept *= 1 - reductionOf(market, runner);
    const reduction = Number((1 - market.kept).toFixed(6));
    for (const runner of market.runners.values()) {
      const { lines } = runner;
      lines.inPlay = inPlay;
      lines.settlement = isClosed ? settlementOf(runner.status, share) : null;
      if (isClosed && lines.settlement !== null) market.file.say(lines, 'resolved');
      else if (status !== 'OPEN' || runner.status !== 'ACTIVE') market.file.say(lines, 'closed');
      else market.file.say(lines, 'open', reduction > 0 ? { reduction } : {});
    }
    // Most removals come while the market is suspended: they are told when it opens again.
    if (status === 'OPEN') market.kept = 1;
    market.isClosed = isClosed;
  }
}

/** Shares of an amount, to the nearest 0.01, as a count of 0.01. */
const sharesOf = (amount: number, odds: number): number =>
  Math.round(Number((amount * odds).toFixed(2)) * 100);

const copyOf = ({ back, lay }: Runner): { readonly back: Ladder; readonly lay: Ladder } => {
  const copies = { back: new Ladder(-1), lay: new Ladder(1) };
  copies.back.replace(back.keys.map((key, at) => [key, back.sizes[at]!]));
  copies.lay.replace(lay.keys.map((key, at) => [key, lay.sizes[at]!]));
  return copies;
};

const wasActive = (before: MarketDefinition | null, { id, hc }: RunnerDefinition): boolean =>
  before?.runners.some((runner) => runner.id === id && runner.hc === hc && runner.status === 'ACTIVE') ===
  true;

/** The part by which a removal shortens bets on the others. Only races have factors. */
function reductionOf({ definition }: Market, { adjustmentFactor = 0 }: RunnerDefinition): number {
  const least = definition?.marketType === 'WIN' ? LEAST_REDUCTION : 0;
  return adjustmentFactor >= least ? adjustmentFactor / 100 : 0;
}

/** @param share what a winner pays, less than 1 in a dead heat @returns null for a runner that nothing settles */
function settlementOf(status: string, share: number): Settlement | null {
  if (status === 'WINNER') return share;
  if (status === 'PLACED') return 1;
  if (status === 'LOSER') return 0;
  return status.startsWith('REMOVED') ? 'void' : null;
}

/** A trade at an offered price or beyond was bought, at a bid or beyond sold. */
function takerOf(odds: number, before: Runner['before']): 'bid' | 'ask' | null {
  if (before === null) return null;
  if (odds <= before.back && odds < before.lay) return 'bid';
  return odds >= before.lay && odds > before.back ? 'ask' : null;
}

function aboutOf(
  { id, definition }: Market,
  { id: selection, handicap }: Runner,
  { records }: Session,
): MarketAbout {
  const stated = definition?.runners.find(
    (runner) => runner.id === selection && (runner.hc ?? 0) === handicap,
  );
  const named = records.of(id, selection) ?? records.of(String(selection));
  const runner = named?.title ?? stated?.name;
  const winners = definition?.numberOfWinners ?? 0;
  return {
    venueId: id,
    selection,
    ...(handicap !== 0 && { handicap }),
    ...(runner !== undefined && { runner }),
    ...(definition?.name !== undefined && { title: definition.name }),
    exclusive: winners === 1 && definition?.bettingType === 'ODDS',
    winners,
    ...(definition?.marketTime !== undefined && { marketTime: definition.marketTime }),
  };
}
