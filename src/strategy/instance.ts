import { Subject, type Subscription } from 'rxjs';
import type { MarketId } from '../domain/ids.js';
import type { QuoteIntent } from '../domain/intent.js';
import type { Ladder, PlainJson, StrategyContext, StreamedIntent } from './contract.js';
import { type IntentOrFault, type StrategyFault, toIntent } from './ladder.js';
import { checkParameters, type ParameterDeclarations, type ParameterIssue } from './parameters.js';
import type { AnyStrategy } from './registry.js';
import { StreamScheduler } from './stream-scheduler.js';

type AnyContext = StrategyContext<ParameterDeclarations, PlainJson>;

/** The part of a context that the instance itself supplies. */
export type ContextWithoutInstance = Omit<AnyContext, 'params' | 'state'>;

/** What one call brought: new intents, by market, or the fault that stopped the instance. */
export type Decision =
  | { readonly ok: true; readonly intents: readonly QuoteIntent[] }
  | { readonly ok: false; readonly fault: StrategyFault };

/**
 * One configured use of a strategy: its parameters, its memory per market, and whether a fault has stopped it.
 * Calls are guarded: nothing a strategy does can throw into the engine.
 */
export class StrategyInstance {
  private values: Readonly<Record<string, unknown>>;
  private readonly memory = new Map<MarketId, PlainJson>();
  private readonly runner: Runner;
  private stoppedBy: StrategyFault | null = null;

  /** @param values as {@link checkParameters} returned them */
  constructor(
    readonly name: string,
    readonly strategy: AnyStrategy,
    values: Readonly<Record<string, unknown>>,
    private readonly tickUnitsOf: (market: MarketId) => number,
  ) {
    this.values = values;
    this.runner = 'quote' in strategy ? quoteRunner(strategy) : streamRunner(strategy);
  }

  /** The fault that stopped this instance, null while it runs. */
  get fault(): StrategyFault | null {
    return this.stoppedBy;
  }

  get parameters(): Readonly<Record<string, unknown>> {
    return this.values;
  }

  /** Asks the strategy. After a fault the instance stays stopped and its quotes are to be withdrawn. */
  decide(context: ContextWithoutInstance): Decision {
    if (this.stoppedBy !== null) return { ok: false, fault: this.stoppedBy };
    const market = context.market.id;
    const state = this.memory.get(market) ?? this.initialState();
    return this.guarded(() => this.runner.run({ ...context, params: this.values as never, state }));
  }

  /** Lets time pass for a stream strategy. */
  advance(nowMs: number): Decision {
    if (this.stoppedBy !== null) return { ok: true, intents: [] };
    return this.guarded(() => this.runner.advance(nowMs));
  }

  /** When a stream strategy wants to be woken; null when it does not. */
  nextDueMs(): number | null {
    return this.stoppedBy === null ? this.runner.nextDueMs() : null;
  }

  /**
   * Changes parameters while running; only those declared `live`.
   * @returns what is wrong; nothing was changed then
   */
  setParameters(changes: Readonly<Record<string, unknown>>): readonly ParameterIssue[] {
    const fixed = Object.keys(changes).filter((name) => this.strategy.params[name]?.live === false);
    if (fixed.length > 0)
      return fixed.map((name) => ({
        name,
        found: changes[name],
        expected: 'no change while running: this parameter is read at the start only',
      }));
    const check = checkParameters(this.strategy.params, { ...this.values, ...changes });
    if (!check.ok) return check.issues;
    this.values = check.values;
    return [];
  }

  /** A person let it run again after a fault. */
  resume(): void {
    this.stoppedBy = null;
  }

  close(): void {
    this.runner.close();
  }

  private initialState(): PlainJson {
    return 'quote' in this.strategy ? (this.strategy.initialState ?? null) : null;
  }

  private guarded(call: () => readonly StreamedIntent[]): Decision {
    try {
      return this.toDecision(call());
    } catch (error) {
      return this.stop({ code: 'threw', text: error instanceof Error ? error.message : String(error) });
    }
  }

  private toDecision(streamed: readonly StreamedIntent[]): Decision {
    const intents: QuoteIntent[] = [];
    for (const { marketId, ladder } of streamed) {
      const result: IntentOrFault = toIntent(ladder, marketId, this.tickUnitsOf(marketId));
      if (!result.ok) return this.stop(result.fault);
      intents.push(result.intent);
      if (ladder.state !== undefined) this.memory.set(marketId, ladder.state);
    }
    return { ok: true, intents };
  }

  private stop(fault: StrategyFault): Decision {
    this.stoppedBy = fault;
    return { ok: false, fault };
  }
}

/** How the two forms of a strategy are run; both answer synchronously. */
interface Runner {
  run(context: AnyContext): readonly StreamedIntent[];
  advance(nowMs: number): readonly StreamedIntent[];
  nextDueMs(): number | null;
  close(): void;
}

function quoteRunner(strategy: Extract<AnyStrategy, { quote: unknown }>): Runner {
  return {
    run: (context) => {
      const ladder: Ladder = strategy.quote(context);
      return [{ marketId: context.market.id, ladder }];
    },
    advance: () => [],
    nextDueMs: () => null,
    close: () => undefined,
  };
}

function streamRunner(strategy: Extract<AnyStrategy, { streams: unknown }>): Runner {
  const contexts = new Subject<AnyContext>();
  const scheduler = new StreamScheduler();
  let emitted: StreamedIntent[] = [];
  let failure: Error | null = null;
  let subscription: Subscription | null = null;
  const take = (work: () => void): readonly StreamedIntent[] => {
    subscription ??= strategy.streams(contexts, scheduler).subscribe({
      next: (intent) => emitted.push(intent),
      // Rx would report an unhandled error on another turn of the event loop; it belongs to this step.
      error: (error: unknown) => (failure = error instanceof Error ? error : new Error(String(error))),
    });
    work();
    if (failure !== null) throw failure;
    const taken = emitted;
    emitted = [];
    return taken;
  };
  return {
    run: (context) =>
      take(() => {
        scheduler.advanceTo(context.nowMs);
        contexts.next(context);
        scheduler.advanceTo(context.nowMs);
      }),
    advance: (nowMs) => take(() => scheduler.advanceTo(nowMs)),
    nextDueMs: () => scheduler.nextDueMs(),
    close: () => subscription?.unsubscribe(),
  };
}
