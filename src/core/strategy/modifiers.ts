/** Modifiers: what may be laid over any strategy, in the order of the configuration. */
import type {
  DeclaresSignals,
  EventContext,
  EventLadders,
  EventStrategy,
  Ladder,
  PlainJson,
  Quote,
  QuoteStrategy,
  Strategy,
  StrategyContext,
} from './contract.js';
import type { ParameterDeclarations, ParameterValues } from './parameters.js';
import { contextFor, type ContextWithoutInstance, eventContextFor } from './context.js';
import { declaredBy } from './signals/declared.js';
import type { SignalDeclarations } from './signals/kinds.js';
import type { SignalViews } from './signals/market-signals.js';

/** Both sides of a ladder. */
export interface Sides {
  readonly bids: readonly Quote[];
  readonly asks: readonly Quote[];
}

/** Sides as a modifier leaves them, and what it wants to remember. */
export interface Modified<S extends PlainJson = PlainJson> extends Sides {
  /** The memory for the next call; left out, it stays as it is. */
  readonly state?: S;
  /** Ask again after so many milliseconds, though nothing comes in. */
  readonly wakeInMs?: number;
}

/**
 * Widens, moves away, shrinks or drops quotes. It must not make a quote more aggressive, unless it declares
 * `mayImprove`: at no price may more shares stand at that price or better than before. Every call is checked.
 */
export interface Modifier<
  P extends ParameterDeclarations = ParameterDeclarations,
  S extends PlainJson = PlainJson,
  N extends string = string,
> {
  /** Kebab-case; configuration names it, and the reason of a changed quote. */
  readonly name: string;
  readonly params: P;
  readonly mayImprove?: boolean;
  readonly initialState?: S;
  /** See `QuoteStrategy.stateVersion`. */
  readonly stateVersion?: number | string;
  readonly signals?: DeclaresSignals<P, N>;
  /** @param context of the strategy, with the modifier's own parameters, state and signals */
  readonly apply: (ladder: Sides, context: StrategyContext<P, S, N>) => Modified<S>;
}

/** A modifier whose parameter and state types have been forgotten. */
export type AnyModifier = Modifier;

/** Declares a modifier; the types of `context.params` and `context.state` follow. */
export const defineModifier = <
  const P extends ParameterDeclarations,
  S extends PlainJson = null,
  const N extends string = never,
>(
  modifier: Modifier<P, S, N>,
): Modifier<P, S, N> => modifier;

/** One use of a modifier with its parameters, as `checkParameters` returned them. */
export interface ModifierUse {
  readonly modifier: AnyModifier;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/**
 * Lays modifiers over a strategy; of an event strategy over the ladder of each outcome.
 * @throws TypeError for a stream strategy: a modifier needs the context that a ladder answers
 */
export function withModifiers(strategy: Strategy, uses: readonly ModifierUse[]): Strategy {
  if (uses.length === 0) return strategy;
  if (!('quote' in strategy))
    throw new TypeError(`strategy ${strategy.name} emits streams; modifiers need a function quote(context)`);
  const stateVersion = versionOf(strategy, uses);
  const version = stateVersion === undefined ? {} : { stateVersion };
  const laid = uses.map((use, at) => ({ use, signals: signalsOf(use, uses.slice(0, at)) }));
  const signals = (params: Readonly<Record<string, unknown>>): SignalDeclarations =>
    Object.assign({}, declaredBy(strategy, params), ...laid.map((one) => one.signals.all));
  if (strategy.scope === 'event') {
    const { stateVersion: _own, ...unversioned } = strategy;
    return {
      ...unversioned,
      ...version,
      initialState: { strategy: strategy.initialState ?? null, markets: {} },
      signals,
      quote: (context) => quoteEvent(strategy, laid, context),
    } satisfies EventStrategy;
  }
  const { stateVersion: _own, ...unversioned } = strategy;
  return {
    ...unversioned,
    ...version,
    initialState: { strategy: strategy.initialState ?? null, modifiers: initialStates(laid) },
    signals,
    quote: (context) => quote(strategy, laid, context),
  } satisfies QuoteStrategy;
}

/** Of all memories together; undefined where one of them is not to be kept, or nothing has a memory. */
function versionOf(
  strategy: QuoteStrategy | EventStrategy,
  uses: readonly ModifierUse[],
): string | undefined {
  const parts = [strategy, ...uses.map(({ modifier }) => modifier)];
  const remembering = parts.filter(({ initialState }) => initialState !== undefined);
  if (remembering.length === 0 || remembering.some(({ stateVersion }) => stateVersion === undefined))
    return undefined;
  return parts.map(({ name, stateVersion }) => [name, stateVersion ?? ''].join(' ').trim()).join(', ');
}

/** Signals of one modifier, under names with the modifier's in front: `toxicity.markOut`, of a second use `toxicity-2.`. */
interface NamedSignals {
  readonly all: SignalDeclarations;
  /** Own name and the one in the context of all. */
  readonly names: readonly (readonly [own: string, whole: string])[];
}

function signalsOf({ modifier, parameters }: ModifierUse, before: readonly ModifierUse[]): NamedSignals {
  const same = before.filter((use) => use.modifier.name === modifier.name).length;
  const prefix = same === 0 ? modifier.name : `${modifier.name}-${same + 1}`;
  const declared = Object.entries(declaredBy(modifier, parameters));
  const names = declared.map(([name]) => [name, `${prefix}.${name}`] as const);
  return { all: Object.fromEntries(declared.map(([name, signal]) => [`${prefix}.${name}`, signal])), names };
}

function ownSignals({ names }: NamedSignals, all: SignalViews): SignalViews {
  if (names.length === 0) return NO_SIGNALS;
  const own: Record<string, SignalViews[string]> = {};
  for (const [name, whole] of names) own[name] = all[whole] ?? null;
  return own;
}

const NO_SIGNALS: SignalViews = Object.freeze({});

/** A modifier that is laid over a strategy. */
interface Laid {
  readonly use: ModifierUse;
  readonly signals: NamedSignals;
}

/** State of the strategy and of each modifier. */
interface Memory {
  readonly [key: string]: PlainJson;
  readonly strategy: PlainJson;
  readonly modifiers: readonly PlainJson[];
}

/** The same of an event strategy, of each modifier in each market. */
interface EventMemory {
  readonly [key: string]: PlainJson;
  readonly strategy: PlainJson;
  readonly markets: { readonly [market: string]: readonly PlainJson[] };
}

const initialStates = (laid: readonly Laid[]): readonly PlainJson[] =>
  laid.map(({ use: { modifier } }) => modifier.initialState ?? null);

function quote(
  strategy: QuoteStrategy,
  laid: readonly Laid[],
  context: StrategyContext<ParameterDeclarations, PlainJson>,
): Ladder {
  const memory = context.state as Memory;
  const first = strategy.quote(contextFor(context, context.params, memory.strategy));
  const { sides, states, wakeInMs } = modified(first, laid, memory.modifiers, context);
  const ladder = { bids: sides.bids, asks: sides.asks, ...waking(first.wakeInMs, wakeInMs) };
  if (first.state === undefined && states === memory.modifiers) return ladder;
  const strategyState = first.state === undefined ? memory.strategy : first.state;
  return { state: { strategy: strategyState, modifiers: states }, ...ladder };
}

/** Modifiers judge each outcome by itself, and remember of each. */
function quoteEvent(
  strategy: EventStrategy,
  laid: readonly Laid[],
  context: EventContext<ParameterDeclarations, PlainJson>,
): EventLadders {
  const memory = context.state as EventMemory;
  const first = strategy.quote(eventContextFor(context, context.params, memory.strategy));
  const given = new Map(first.ladders instanceof Map ? first.ladders : Object.entries(first.ladders));
  let { markets } = memory;
  let wakes = first.wakeInMs;
  for (const outcome of context.markets) {
    const { id } = outcome.market;
    const ladder = given.get(id);
    if (ladder === undefined) continue;
    const before = markets[id] ?? initialStates(laid);
    const { sides, states, wakeInMs } = modified(ladder, laid, before, outcome);
    given.set(id, sides);
    if (states !== before) markets = { ...markets, [id]: states };
    wakes = waking(wakes, wakeInMs).wakeInMs;
  }
  const { takes } = first;
  const ladders = { ladders: given, ...(takes !== undefined && { takes }), ...waking(wakes, undefined) };
  if (first.state === undefined && markets === memory.markets) return ladders;
  const strategyState = first.state === undefined ? memory.strategy : first.state;
  return { state: { strategy: strategyState, markets }, ...ladders };
}

const waking = (one: number | undefined, other: number | undefined): { readonly wakeInMs?: number } =>
  one === undefined && other === undefined ? {} : { wakeInMs: Math.min(one ?? Infinity, other ?? Infinity) };

/** A ladder as the modifiers leave it, one after the other; the states are the list before where none changed. */
function modified(
  first: Sides,
  laid: readonly Laid[],
  before: readonly PlainJson[],
  context: ContextWithoutInstance,
) {
  let { bids, asks } = first;
  let wakeInMs: number | undefined;
  const after = laid.map(({ use: { modifier, parameters }, signals }, at) => {
    const state = before[at]!;
    const params = parameters as ParameterValues<ParameterDeclarations>;
    const own = ownSignals(signals, context.signals);
    const changed = modifier.apply({ bids, asks }, contextFor(context, params, state, own));
    if (modifier.mayImprove !== true) refuseAggression({ bids, asks }, changed, modifier.name);
    bids = explained(bids, changed.bids, modifier);
    asks = explained(asks, changed.asks, modifier);
    if (changed.wakeInMs !== undefined) wakeInMs = Math.min(wakeInMs ?? Infinity, changed.wakeInMs);
    return changed.state === undefined ? state : changed.state;
  });
  const states = after.every((state, at) => state === before[at]) ? before : after;
  return { sides: { bids, asks }, states, wakeInMs };
}

/** Adds the modifier's step to each quote that it changed. */
function explained(
  before: readonly Quote[],
  after: readonly Quote[],
  { name }: AnyModifier,
): readonly Quote[] {
  if (before === after) return after;
  return after.map((quote) => {
    if (before.includes(quote)) return quote;
    const sum = quote.reason.reduce((total, step) => total + step.value, 0);
    return { ...quote, reason: [...quote.reason, { label: name, value: quote.price - sum }] };
  });
}

/** Float noise in prices and shares. */
const NOISE = 1e-9;

/** @throws Error when more shares stand at some price or better than before */
function refuseAggression(before: Sides, after: Sides, name: string): void {
  refuseOn('bids', 1, before, after, name);
  refuseOn('asks', -1, before, after, name);
}

function refuseOn(side: keyof Sides, sign: 1 | -1, before: Sides, after: Sides, name: string): void {
  if (before[side] === after[side]) return;
  for (const { price } of after[side]) {
    const now = sharesAt(after[side], sign, sign * price);
    const was = sharesAt(before[side], sign, sign * price);
    if (now > was + NOISE)
      throw new Error(
        `modifier ${name} made ${side} more aggressive: ${now} shares at ${price} or better, ${was} before`,
      );
  }
}

function sharesAt(quotes: readonly Quote[], sign: 1 | -1, at: number): number {
  let shares = 0;
  for (const quote of quotes) if (sign * quote.price >= at - NOISE) shares += quote.shares;
  return shares;
}

/** Moves every quote of a side away from the middle; what leaves (0, 1) is dropped. */
export const movedAway = (
  quotes: readonly Quote[],
  side: 'bid' | 'ask',
  distance: number,
): readonly Quote[] =>
  distance === 0
    ? quotes
    : quotes
        .map((quote) => ({ ...quote, price: quote.price + (side === 'bid' ? -distance : distance) }))
        .filter(({ price }) => price > 0 && price < 1);

/** Multiplies the shares of every quote; a factor of 1 changes nothing, 0 drops the side. */
export const shrunk = (quotes: readonly Quote[], factor: number): readonly Quote[] =>
  factor >= 1
    ? quotes
    : factor <= 0
      ? []
      : quotes.map((quote) => ({ ...quote, shares: quote.shares * factor }));
