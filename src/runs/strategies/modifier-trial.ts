/** Every bundled modifier over every bundled strategy, on invented contexts. */
import type { Random } from '../../core/ports/random.js';
import type { EventStrategy, Ladder, PlainJson, StrategyContext } from '../../core/strategy/contract.js';
import { toIntent } from '../../core/strategy/ladder.js';
import { withModifiers } from '../../core/strategy/modifiers.js';
import { NO_QUOTES } from '../../core/strategy/quoting.js';
import { checkParameters, type ParameterDeclarations } from '../../core/strategy/parameters.js';
import type { AnyStrategy } from '../../core/strategy/registry.js';
import { seededRandom } from '../../storage/clocks/seeded-random.js';
import { bundledModifiers, bundledStrategies, loadModifier, loadStrategy } from './strategies.js';
import { bookOf, contextOf, eventContextOf, eventOf, inventoryOf, marketOf, signalOf } from './testing.js';

/** What one modifier did to one strategy. */
export interface TrialRow {
  readonly strategy: string;
  readonly modifier: string;
  readonly contexts: number;
  /** Quotes of the strategy alone, and with the modifier. */
  readonly quotes: number;
  readonly left: number;
  /** Ladders that could not be used: crossed, outside (0, 1), or more aggressive than a modifier may make them. */
  readonly faults: number;
  /** The first of them, in words. */
  readonly fault: string | null;
}

type AnyContext = StrategyContext<ParameterDeclarations, PlainJson>;

/** @param contexts for each pair; the same ones for all pairs */
export async function tryModifiers(contexts: number, seed: number): Promise<readonly TrialRow[]> {
  const rows: TrialRow[] = [];
  for (const name of bundledStrategies()) {
    const strategy = await loadStrategy(name, '');
    for (const modifier of bundledModifiers()) {
      const use = await loadModifier(modifier, '');
      const check = checkParameters(use.params, {});
      const uses = check.ok ? [{ modifier: use, parameters: check.values }] : [];
      rows.push({
        strategy: name,
        modifier,
        ...tried(strategy, withModifiers(strategy, uses), contexts, seed),
      });
    }
  }
  return rows;
}

function tried(plain: AnyStrategy, modified: AnyStrategy, contexts: number, seed: number) {
  const random = seededRandom(seed);
  let [quotes, left, faults] = [0, 0, 0];
  let fault: string | null = null;
  let memory: PlainJson | undefined;
  let changes = inventedContext(random, 0);
  for (let at = 0; at < contexts; at++) {
    // A new market now and then; in between the same one moves on.
    const next = inventedContext(random, at);
    changes = at % 30 === 0 ? next : { ...next, market: changes.market, book: changes.book };
    quotes += countOf(ladderOf(plain, changes, undefined));
    try {
      const ladder = ladderOf(modified, changes, memory);
      const result = toIntent(ladder, changes.market.id, Math.round(changes.market.tick * 10_000));
      if (!result.ok) throw new Error(result.fault.text);
      left += countOf(ladder);
      memory = ladder.state ?? memory;
    } catch (error) {
      faults += 1;
      fault ??= (error as Error).message;
    }
  }
  return { contexts, quotes, left, faults, fault };
}

function ladderOf(strategy: AnyStrategy, changes: Partial<AnyContext>, state: PlainJson | undefined): Ladder {
  if (!('quote' in strategy)) throw new Error(`${strategy.name} emits streams`);
  if (strategy.scope === 'event') return ladderOfOutcome(strategy, changes, state);
  const context = contextOf(strategy, state === undefined ? changes : { ...changes, state });
  return strategy.quote({ ...context, signals: invented(context) });
}

/** What one look does not measure, good or bad, so that modifiers which need it have something to do. */
function invented({ signals, nowMs }: AnyContext): AnyContext['signals'] {
  const value = Math.sin(nowMs) / 20;
  return Object.fromEntries(
    Object.entries(signals).map(([name, signal]) => [name, signal ?? signalOf(value)]),
  );
}

/** An event of one market. */
function ladderOfOutcome(
  strategy: EventStrategy,
  changes: Partial<AnyContext>,
  memory: PlainJson | undefined,
): Ladder {
  const context = eventContextOf(strategy, {
    markets: [changes],
    ...(memory !== undefined && { state: memory }),
  });
  const { ladders, state } = strategy.quote(context);
  const given = new Map(ladders instanceof Map ? ladders : Object.entries(ladders));
  const ladder = given.get(context.markets[0]!.market.id) ?? NO_QUOTES;
  return { ...ladder, ...(state !== undefined && { state }) };
}

const countOf = ({ bids, asks }: Ladder): number => bids.length + asks.length;

/** A market as it may be found, not as it is likely: empty sides, fine grids, old books, much inventory. */
function inventedContext(random: Random, at: number) {
  const tick = [0.01, 0.001, 0.005][random.below(3)]!;
  const price = () => Math.min(1 - tick, Math.max(tick, Math.round(random.uniform() / tick) * tick));
  const [one, other] = [price(), price()].sort((a, b) => a - b) as [number, number];
  const bid = random.below(10) === 0 ? null : one;
  const ask = random.below(10) === 0 || other === one ? null : other;
  const market = marketOf({ tick, makerFee: [0, 0.002, -0.001][random.below(3)]! });
  return {
    market,
    book: { ...bookOf(bid, ask, random.below(500)), ageMs: random.below(30_000) },
    inventory: inventoryOf(random.below(400) - 200),
    fair: random.below(20) === 0 ? null : { p: random.uniform(), ageMs: 0, confidence: random.uniform() },
    event: eventOf({ msToClose: random.below(4) === 0 ? null : random.below(900_000) }),
    nowMs: 1_786_000_000_000 + at * 500,
  };
}
