/**
 * Contexts for strategies under test, exported as `oddsmith/sdk/testing`: a market of which a test states what matters to
 * it. Nothing here is read while a bot runs.
 */
import { UsageError } from '../../domain/errors.js';
import { eventId, marketId } from '../../domain/ids.js';
import { seededRandom } from '../../storage/clocks/seeded-random.js';
import type {
  BookView,
  EventContext,
  EventStrategy,
  EventView,
  FillView,
  InventoryView,
  MarketView,
  OutcomeContext,
  PlainJson,
  QuoteStrategy,
  RoomView,
  SignalView,
  StrategyContext,
  TradeView,
} from '../../core/strategy/contract.js';
import {
  checkParameters,
  type ParameterDeclarations,
  type ParameterIssue,
  type ParameterValues,
} from '../../core/strategy/parameters.js';
import type { SignalLook } from '../../core/strategy/signals/computation.js';
import { checkSignals, declaredBy } from '../../core/strategy/signals/declared.js';
import { MarketSignals, type SignalViews } from '../../core/strategy/signals/market-signals.js';

const SEED = 1;
const SOME_TIME = 1_786_000_000_000;

/** A book of one level a side, as probabilities and whole shares; null leaves the side empty. */
export function bookOf(bid: number | null, ask: number | null, shares = 100): BookView {
  const mid = bid === null || ask === null ? null : (bid + ask) / 2;
  return {
    bids: bid === null ? [] : [{ price: bid, shares }],
    asks: ask === null ? [] : [{ price: ask, shares }],
    bid,
    ask,
    mid,
    weightedMid: mid,
    hidden: { bids: false, asks: false },
    ageMs: 0,
  };
}

/** So many net shares, bought at one half, long when positive and short when negative; 10,000 units of free cash. */
export const inventoryOf = (net: number): InventoryView => ({
  long: Math.max(0, net),
  short: Math.max(0, -net),
  net,
  paired: 0,
  averageLong: net > 0 ? 0.5 : null,
  averageShort: net < 0 ? 0.5 : null,
  cashFree: 10_000,
});

/** A market with a tick of 0.01, without fees, unless stated otherwise. */
export const marketOf = ({
  id = 2231,
  ...changes
}: Partial<Omit<MarketView, 'id'>> & { readonly id?: number } = {}): MarketView => ({
  id: marketId(id),
  title: 'Candidate A',
  tick: 0.01,
  currency: 'OOM',
  takerFee: 0,
  makerFee: 0,
  minAmount: 0.01,
  ...changes,
});

/** An open event that is not being played and has no known end, unless stated otherwise. */
export const eventOf = (changes: Partial<Omit<EventView, 'id'>> = {}): EventView => ({
  id: eventId(873),
  title: 'Who wins?',
  status: 'open',
  resolutionMode: 'exclusive',
  isLive: false,
  winners: { least: 0, most: 1 },
  exhaustive: false,
  scenarios: [],
  msToClose: null,
  closesFrom: null,
  markets: [],
  ...changes,
});

/** What default limits leave while nothing is held. */
export const roomOf = (changes: Partial<RoomView> = {}): RoomView => ({
  bidShares: 1_000,
  askShares: 1_000,
  orderShares: 1_000,
  orderAmount: 1_000,
  eventLoss: 1_000,
  categoryLoss: null,
  accountLoss: null,
  locked: null,
  taking: 0,
  ...changes,
});

/** A signal of full confidence, of now, unless stated otherwise. */
export const signalOf = (value: number, changes: Partial<SignalView> = {}): SignalView => ({
  value,
  ageMs: 0,
  confidence: 1,
  count: 1,
  ...changes,
});

/** An own bid of ten shares at 0.48 that rested and was filled with the mid at one half, unless stated otherwise. */
export const fillOf = (changes: Partial<FillView> = {}): FillView => ({
  side: 'bid',
  price: 0.48,
  shares: 10,
  liquidity: 'maker',
  midBefore: 0.5,
  ...changes,
});

/** A trade of ten shares at one half by a taker who bought, unless stated otherwise. */
export const tradeOf = (changes: Partial<TradeView> = {}): TradeView => ({
  price: 0.5,
  shares: 10,
  takerSide: 'bid',
  ...changes,
});

const issueText = ({ name, found, expected }: ParameterIssue, of: string): string =>
  `${of}.${name}: expected ${expected}, found ${JSON.stringify(found) ?? 'nothing'}`;

/** What a test states of a context. */
export type ContextChanges<
  P extends ParameterDeclarations,
  S extends PlainJson,
  N extends string = string,
> = Partial<Omit<StrategyContext<P, S, N>, 'params' | 'signals'>> & {
  /** Values by name, as {@link signalOf} makes them. The others are what one look at this market gives, mostly null. */
  readonly signals?: Readonly<Partial<Record<N, SignalView | null>>>;
  /** As `params` of an instance in a bot's file; what is left out has its default. */
  readonly params?: Readonly<Record<string, unknown>>;
};

/**
 * What `strategy.quote` is asked with: fair value one half, nothing held, an empty book, the declared defaults and the
 * strategy's `initialState`, unless stated otherwise.
 * @throws UsageError naming the parameters that a bot's file would be refused for
 */
export function contextOf<P extends ParameterDeclarations, S extends PlainJson, N extends string>(
  strategy: QuoteStrategy<P, S, N>,
  { params = {}, signals, ...changes }: ContextChanges<P, S, N> = {},
): StrategyContext<P, S, N> {
  const values = accepted(strategy.params, params);
  const context = {
    ...outcomeOf(),
    params: values,
    state: (strategy.initialState ?? null) as S,
    ...changes,
  };
  const measured = { ...measuredAt(strategy, values, context), ...signals };
  return { ...context, signals: measured as Readonly<Record<N, SignalView | null>> };
}

function accepted<P extends ParameterDeclarations>(
  declared: P,
  params: Readonly<Record<string, unknown>>,
): ParameterValues<P> {
  const check = checkParameters(declared, params);
  if (!check.ok) throw new UsageError(check.issues.map((issue) => issueText(issue, 'params')).join('; '));
  return check.values;
}

const outcomeOf = (): OutcomeContext => ({
  market: marketOf(),
  event: eventOf(),
  book: bookOf(null, null),
  inventory: inventoryOf(0),
  room: roomOf(),
  working: [],
  fair: { p: 0.5, ageMs: 0, confidence: 1 },
  signals: {},
  fills: [],
  trades: [],
  nowMs: SOME_TIME,
  random: seededRandom(SEED),
  log: () => undefined,
});

const TWO_OUTCOMES: readonly Partial<OutcomeContext>[] = [
  { market: marketOf({ id: 2231, title: 'Candidate A' }) },
  { market: marketOf({ id: 2232, title: 'Candidate B' }) },
];

/** What a test states of the context of an event. */
export type EventContextChanges<P extends ParameterDeclarations, S extends PlainJson> = Partial<
  Pick<EventContext<P, S>, 'nowMs' | 'state' | 'random' | 'log'>
> & {
  readonly event?: Partial<Omit<EventView, 'id'>>;
  /** One for each outcome; what is left out is as in {@link contextOf}. Ids have to differ. */
  readonly markets?: readonly Partial<OutcomeContext>[];
  /** As {@link ContextChanges.params}. */
  readonly params?: Readonly<Record<string, unknown>>;
};

/**
 * What the `quote` of an event strategy is asked with: an exclusive event of two outcomes at one half, unless stated
 * otherwise. `event.markets` follows from the outcomes.
 * @throws UsageError naming the parameters that a bot's file would be refused for
 */
export function eventContextOf<P extends ParameterDeclarations, S extends PlainJson>(
  strategy: EventStrategy<P, S>,
  { params = {}, event, markets = TWO_OUTCOMES, ...changes }: EventContextChanges<P, S> = {},
): EventContext<P, S> {
  const values = accepted(strategy.params, params);
  const outcomes = markets.map((outcome) => ({ ...outcomeOf(), ...outcome }));
  const view = eventOf({
    markets: outcomes.map(({ market, book, fair, inventory }) => ({
      id: market.id,
      weightedMid: book.weightedMid,
      fair: fair?.p ?? null,
      inventory: inventory.net,
      halted: false,
    })),
    ...event,
  });
  return {
    event: view,
    markets: outcomes.map((outcome) => {
      const seen = { ...outcome, event: view };
      return { ...seen, signals: { ...measuredAt(strategy, values, seen), ...outcome.signals } };
    }),
    nowMs: SOME_TIME,
    params: values,
    state: (strategy.initialState ?? null) as S,
    random: seededRandom(SEED),
    log: () => undefined,
    ...changes,
  };
}

/** The declared signals, as one look at the market gives them. */
function measuredAt(
  strategy: { readonly signals?: unknown },
  params: Readonly<Record<string, unknown>>,
  { nowMs, book, fair, event: { msToClose } }: Omit<SignalLook, 'msToClose'> & { readonly event: EventView },
): SignalViews {
  const check = checkSignals(declaredBy(strategy, params));
  if (!check.ok) throw new UsageError(check.issues.map((issue) => issueText(issue, 'signals')).join('; '));
  const signals = new MarketSignals(false);
  signals.declare(check.signals);
  signals.look(() => ({ nowMs, book, fair, msToClose }));
  return signals.views;
}
