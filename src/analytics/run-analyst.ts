import type { VenueRequest } from '../domain/effects.js';
import { invariant } from '../domain/errors.js';
import type { Fill } from '../domain/fill.js';
import type { Stamped } from '../domain/inputs.js';
import type { EventId, MarketId, OrderId } from '../domain/ids.js';
import type { Micros, Money, PriceUnits, Shares } from '../domain/units.js';
import { modeOf, type Position, type Resolution } from '../domain/vocabulary.js';
import type { GuardFigures, InstanceFigures, RunAnalysis } from './analysis.js';
import { countFill, type DayFills, EquityMeter } from './equity.js';
import { type Depth, Series } from './series.js';
import { type GuardStop, StopLog, heldFigures, HoldMeter } from './guard-figures.js';
import { MarketAnalyst } from './market-analyst.js';
import type {
  RequestedOrder,
  RunObserver,
  StandingOrder,
  DescribedEvent,
  DescribedMarket,
  RunDescription,
} from './observer.js';
import { RequestMeter } from './flow.js';
import { runAnalysis } from './run-analysis.js';

/** Buckets of all series of a run together, so that many markets take no more room than few. */
const BUCKETS = 32_768;
const MOST_BUCKETS = 2_048;
const FEWEST_BUCKETS = 64;
/** Of the profit of the whole run, which may have long pauses between its events. */
const EQUITY_BUCKETS = 8_192;
const FIRST_WIDTH_MICROS = 100_000;

/** A market with the running sums that it is part of: its own, its event's, its strategy's, the run's. */
interface Watched {
  readonly analyst: MarketAnalyst;
  readonly meters: readonly EquityMeter[];
  readonly own: EquityMeter;
  equity: number;
  capital: number;
}

interface Described {
  readonly event: DescribedEvent;
  readonly market: DescribedMarket;
}

/**
 * Analyses one run while it goes on. What it holds does not grow with the length of the run, and the same observations
 * give the same analysis, byte for byte. A market counts from its first price, quote or fill.
 */
export class RunAnalyst implements RunObserver {
  readonly #described = new Map<MarketId, Described>();
  readonly #markets = new Map<MarketId, Watched>();
  readonly #events = new Map<EventId, EquityMeter>();
  readonly #strategies = new Map<string, EquityMeter>();
  readonly #volumes = new Map<EventId, { readonly first: number; last: number }>();
  /** The least that each event could have brought at any time, money units. */
  readonly #worst = new Map<EventId, number>();
  readonly #run: EquityMeter;
  readonly #equity: Series;
  readonly #underwater: Series;
  readonly #fillsOfDays = new Map<number, DayFills>();
  readonly #instances: readonly InstanceFigures[];
  readonly #requests: RequestMeter;
  readonly #stops = new StopLog();
  readonly #holds = new Map<MarketId, HoldMeter>();
  #isRecorded = false;

  constructor(public description: RunDescription) {
    const { startedAt, callsBefore, events } = description;
    this.#run = new EquityMeter(startedAt);
    const grid = { startedAt, widthMicros: FIRST_WIDTH_MICROS, buckets: EQUITY_BUCKETS };
    this.#equity = new Series(grid);
    this.#equity.record(startedAt, 0);
    this.#underwater = new Series(grid);
    this.#underwater.record(startedAt, 0);
    this.#instances = description.instances();
    this.#requests = new RequestMeter(startedAt);
    this.#requests.called('identify', callsBefore, startedAt);
    for (const event of events)
      for (const market of event.markets) {
        invariant(!this.#described.has(market.marketId), `market ${market.marketId} is described twice`);
        this.#described.set(market.marketId, { event, market });
        this.#holds.set(market.marketId, new HoldMeter(startedAt));
      }
  }

  /** Markets that join count from their first price, quote or fill; those that leave go on counting. */
  described(events: readonly DescribedEvent[]): void {
    const known = new Map(this.description.events.map((event) => [event.eventId, event]));
    for (const event of events) {
      const before = known.get(event.eventId);
      const added = event.markets.filter(({ marketId }) => !this.#described.has(marketId));
      const whole = before === undefined ? event : { ...before, markets: [...before.markets, ...added] };
      known.set(event.eventId, whole);
      for (const market of added) {
        this.#described.set(market.marketId, { event: whole, market });
        this.#holds.set(market.marketId, new HoldMeter(this.description.startedAt));
      }
    }
    this.description = { ...this.description, events: [...known.values()] };
  }

  /** Of what came in, the books as they were shown, our own shares among them. */
  took({ input, at }: Stamped): void {
    if (input.kind !== 'book' || input.mode !== modeOf(this.description.currency)) return;
    this.#markets.get(input.marketId)?.analyst.depth.book(at, input.bids, input.asks);
  }

  book(market: MarketId, at: Micros, bid: PriceUnits | null, _: Shares, ask: PriceUnits | null): void {
    const isEmpty = bid === null && ask === null;
    const watched = isEmpty ? this.#markets.get(market) : this.#watched(market, at);
    if (watched?.analyst.book(at, bid, ask) === true) this.#settle(watched, at);
  }

  /** A recording shows another mid, long-side price units: mark-outs are judged by it, and not by what the bot saw. */
  recorded(market: MarketId, at: Micros, mid: number): void {
    this.#isRecorded = true;
    this.#markets.get(market)?.analyst.recorded(at, mid);
  }

  standing(market: MarketId, at: Micros, orders: readonly StandingOrder[]): void {
    const watched = orders.length === 0 ? this.#markets.get(market) : this.#watched(market, at);
    if (watched?.analyst.standing(at, orders) === true) this.#settle(watched, at);
  }

  filled(fill: Fill, at: Micros): void {
    if (this.#described.has(fill.marketId)) countFill(this.#fillsOfDays, fill, at);
    this.#tell(fill.marketId, at, (analyst) => analyst.filled(fill, at));
  }

  queued(order: OrderId, market: MarketId, ahead: Shares, others: Shares): void {
    this.#markets.get(market)?.analyst.queued(order, ahead, others);
  }

  traded(market: MarketId, _at: Micros, _price: PriceUnits, shares: Shares): void {
    const watched = this.#markets.get(market);
    if (watched !== undefined) watched.analyst.othersShares += shares;
  }

  volume(event: EventId, _at: Micros, amount: Money): void {
    const known = this.#volumes.get(event);
    if (known === undefined) this.#volumes.set(event, { first: amount, last: amount });
    else known.last = amount;
  }

  exposed(event: EventId, _at: Micros, worst: Money): void {
    this.#worst.set(event, Math.min(worst, this.#worst.get(event) ?? 0));
  }

  transferred(market: MarketId, at: Micros, position: Position, came: Shares, longPrice: number): void {
    this.#tell(market, at, (analyst) => analyst.transferred(at, position, came, longPrice));
  }

  stopped(stop: GuardStop, at: Micros): void {
    this.#stops.stopped(stop, at);
  }

  held(market: MarketId, at: Micros, reason: string | null): void {
    this.#holds.get(market)?.set(at, reason);
  }

  resolved(market: MarketId, at: Micros, resolution: Resolution): void {
    this.#holds.get(market)?.close(at);
    this.#tell(market, at, (analyst) => analyst.resolved(at, resolution));
  }

  reversed(market: MarketId, at: Micros): void {
    this.#holds.get(market)?.reopen(at);
    this.#tell(market, at, (analyst) => analyst.reversed(at));
  }

  requested(
    requestId: number,
    kind: VenueRequest['kind'],
    calls: number,
    at: Micros,
    orders: readonly RequestedOrder[],
  ): void {
    const flows = orders.map(
      ({ marketId, bookSide }) => this.#watched(marketId, at)?.analyst.flows[bookSide],
    );
    this.#requests.requested(requestId, kind, calls, at, flows);
  }

  answered(requestId: number, calls: number | null, at: Micros): void {
    this.#requests.answered(requestId, calls, at);
  }

  joined(at: Micros): void {
    this.#requests.called('authorize-channel', 1, at);
  }

  /**
   * The run is over.
   * @param depth the last book of a market without our own shares; null where there is none
   * @throws InvariantError when the attribution does not add up: nothing of this run can be relied on
   */
  end(at: Micros, depth: (market: MarketId) => Depth | null): RunAnalysis {
    const guards = guardFigures(this.#stops, this.#holds, at);
    const seen = new Set(this.#events.keys());
    const markets = [...this.#described.keys()].map((market) => this.#watched(market, at)!);
    for (const watched of markets) {
      watched.analyst.end(at);
      this.#settle(watched, at);
    }
    return runAnalysis({
      description: this.description,
      at,
      markets: markets.map(({ analyst, own }) => ({ analyst, equity: own })),
      events: this.#events,
      worst: this.#worst,
      seen,
      strategies: this.#strategies,
      run: this.#run,
      equity: this.#equity,
      underwater: this.#underwater,
      fillsOfDays: this.#fillsOfDays,
      instances: this.#instances,
      requests: this.#requests,
      amountTraded: (event) => this.#amountTraded(event),
      depth,
      guards,
      markOutMid: this.#isRecorded ? 'recorded' : 'others',
    });
  }

  /** @returns undefined for a market that nobody described */
  #watched(id: MarketId, at: Micros): Watched | undefined {
    const known = this.#markets.get(id);
    const described = this.#described.get(id);
    if (known !== undefined || described === undefined) return known;
    const { event, market } = described;
    const grid = { startedAt: at, widthMicros: FIRST_WIDTH_MICROS, buckets: bucketsOf(this.#described.size) };
    this.#holds.get(id)?.begin(at);
    const own = new EquityMeter(at);
    const watched = {
      analyst: new MarketAnalyst(event, market, grid, this.description.uptime),
      own,
      meters: [
        own,
        meterOf(this.#events, event.eventId, at),
        meterOf(this.#strategies, market.strategy, at),
        this.#run,
      ],
      equity: 0,
      capital: 0,
    };
    this.#markets.set(id, watched);
    return watched;
  }

  #tell(market: MarketId, at: Micros, tell: (analyst: MarketAnalyst) => void): void {
    const watched = this.#watched(market, at);
    if (watched === undefined) return;
    tell(watched.analyst);
    this.#settle(watched, at);
  }

  /** Carries what changed in one market into the sums it is part of. */
  #settle(watched: Watched, at: Micros): void {
    const { analyst, meters } = watched;
    const { equity, capital } = analyst;
    if (capital !== watched.capital) {
      for (const meter of meters) meter.bind(at, capital - watched.capital);
      watched.capital = capital;
    }
    if (equity === watched.equity) return;
    for (const meter of meters) meter.earn(at, equity - watched.equity);
    watched.equity = equity;
    analyst.noteProfit(at);
    this.#equity.record(at, this.#run.equity);
    this.#underwater.record(at, this.#run.underwater);
  }

  #amountTraded(event: EventId): number | null {
    const volume = this.#volumes.get(event);
    return volume === undefined ? null : volume.last - volume.first;
  }
}

function guardFigures(stops: StopLog, holds: ReadonlyMap<MarketId, HoldMeter>, at: Micros): GuardFigures {
  const markets = [...holds].map(([id, meter]) => ({ marketId: id, held: heldFigures([meter], at) }));
  return {
    stops: stops.figures(),
    held: heldFigures([...holds.values()], at),
    markets: markets.filter(({ held }) => held.length > 0),
  };
}

function bucketsOf(markets: number): number {
  const fair = 2 ** Math.floor(Math.log2(BUCKETS / markets));
  return Math.min(MOST_BUCKETS, Math.max(FEWEST_BUCKETS, fair));
}

function meterOf<Key>(meters: Map<Key, EquityMeter>, key: Key, at: Micros): EquityMeter {
  const known = meters.get(key) ?? new EquityMeter(at);
  meters.set(key, known);
  return known;
}
