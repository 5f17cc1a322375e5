import type { EventId, MarketId } from '../../domain/ids.js';
import type { ParameterChange } from '../../domain/inputs.js';
import type { QuoteIntent } from '../../domain/intent.js';
import type { PlainJson } from './contract.js';
import { type FaultCode, type Faulty, faulty, type StrategyFault } from './fault.js';
import { describeThrown } from './thrown.js';
import { toIntent } from './ladder.js';
import { type ModifierUse, withModifiers } from './modifiers.js';
import { copyPlain } from './plain-json.js';
import type { DeclaredSignal } from './signals/declared.js';
import type { SignalMemory } from './signals/market-signals.js';
import { type JudgedChange, judgeChange, signalsOf } from './tuning.js';
import type { AnyStrategy } from './registry.js';
import {
  type AnyContext,
  contextFor,
  type ContextWithoutInstance,
  eventContextFor,
  type EventWithoutInstance,
} from './context.js';
import { intentsOf, NOTHING, openRunner, refusePromise } from './runners.js';
import type { Answered, AnsweredIntent, Runner } from './streams.js';

/** What one call brought: new intents, at most one per market, or the fault that stopped the instance. */
export type Decision =
  | {
      readonly ok: true;
      readonly intents: readonly QuoteIntent[];
      /** Ask again after so many milliseconds, though nothing comes in. */
      readonly wakeInMs?: number;
    }
  | { readonly ok: false; readonly fault: StrategyFault };

export interface InstanceOptions {
  /** Of the instance; several may use one strategy. */
  readonly name: string;
  readonly strategy: AnyStrategy;
  /** Laid over it, in this order; left out: none. */
  readonly modifiers?: readonly ModifierUse[];
  /** As {@link checkParameters} returned them. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** What the file says of signals; left out, those that the strategy declares. */
  readonly signals?: Readonly<Record<string, unknown>>;
  /** Price units per tick of each market that the instance quotes; intents for any other are a fault. */
  readonly tickUnits: ReadonlyMap<MarketId, number>;
}

/** Told when a strategy is asked, and when it has answered. */
export interface AnswerWatch {
  asked(): void;
  answered(instance: string): void;
}

/**
 * One configured use of a strategy: its parameters, its memory per market, and whether a fault has stopped it.
 * Calls are guarded: nothing a strategy does can throw into the engine.
 */
export class StrategyInstance {
  readonly name: string;
  /** With its modifiers. */
  strategy: AnyStrategy;
  private uses: readonly ModifierUse[];
  private readonly plain: AnyStrategy;
  private readonly markets: Map<MarketId, MarketMemory>;
  /** Of an event strategy, which remembers nothing of a single market. */
  private readonly events = new Map<EventId, Memory>();
  private readonly initialState: PlainJson;
  private values: Readonly<Record<string, unknown>>;
  private declared: readonly DeclaredSignal[];
  private readonly configuredSignals: Readonly<Record<string, unknown>>;
  private runner: Runner;
  private stopped: Faulty | null = null;
  /** Whether an answer ever left a state: until then the same context has the same answer. */
  remembers = false;
  /** Measures how long answers take; null: nobody does. */
  watch: AnswerWatch | null = null;

  /** @throws TypeError for signals that {@link signalsOf} refuses */
  constructor({
    name,
    strategy: plain,
    modifiers = [],
    parameters,
    signals = {},
    tickUnits,
  }: InstanceOptions) {
    const strategy = withModifiers(plain, modifiers);
    this.name = name;
    this.plain = plain;
    this.uses = modifiers;
    this.strategy = strategy;
    this.initialState = 'quote' in strategy ? plainOrNull(strategy.initialState) : null;
    this.markets = new Map(
      [...tickUnits].map(([market, units]) => [
        market,
        { tickUnits: units, state: this.initialState, signals: {} },
      ]),
    );
    this.values = Object.freeze({ ...parameters });
    this.configuredSignals = signals;
    const check = signalsOf(strategy, this.values, signals);
    if (!check.ok)
      throw new TypeError(
        check.issues.map(({ name: at, expected }) => `signal ${at}: expected ${expected}`).join('; '),
      );
    this.declared = check.signals;
    this.runner = openRunner(strategy);
  }

  /** The fault that stopped this instance, null while it runs. */
  get fault(): StrategyFault | null {
    return this.stopped?.fault ?? null;
  }

  /** Signals that its markets need. The same list until a parameter changes. */
  get signals(): readonly DeclaredSignal[] {
    return this.declared;
  }

  get parameters(): Readonly<Record<string, unknown>> {
    return this.values;
  }

  /**
   * Asks the strategy. Once a fault has stopped the instance, every answer is that fault.
   * @param nowMs of the context; it is not read there, because whoever reads it is asked again every second
   */
  decide(context: ContextWithoutInstance, nowMs = context.nowMs): Decision {
    if (this.stopped !== null) return this.stopped;
    const decision = this.guarded(() => this.runner.run(this.completed(context), nowMs));
    return decision.ok ? decision : this.stop(decision);
  }

  /**
   * Asks the strategy of a whole event.
   * @param outcomes all that the instance quotes
   */
  decideEvent(context: EventWithoutInstance, outcomes: readonly MarketId[]): Decision {
    if (this.stopped !== null) return this.stopped;
    const { id } = context.event;
    const memory = this.events.get(id) ?? { state: this.initialState };
    this.events.set(id, memory);
    const decision = this.guarded(() => this.askEvent(context, outcomes, memory), memory);
    return decision.ok ? decision : this.stop(decision);
  }

  /** Lets time pass for a stream strategy; nothing comes of it while the instance is stopped. */
  advance(nowMs: number): Decision {
    if (this.stopped !== null) return NO_INTENTS;
    const decision = this.guarded(() => this.runner.advance(nowMs));
    return decision.ok ? decision : this.stop(decision);
  }

  /** When a stream strategy wants to be woken; null when it does not. */
  nextDueMs(): number | null {
    return this.stopped === null ? this.runner.nextDueMs() : null;
  }

  /** The modifiers in their order, with their present parameters. */
  get modifiers(): readonly ModifierUse[] {
    return this.uses;
  }

  /** What would come of a change of parameters while running, which only those declared `live` allow. Changes nothing. */
  judge(change: Omit<ParameterChange, 'instance'>): JudgedChange {
    const { values, uses, strategy, declared } = this;
    return judgeChange(this.plain, { values, uses, strategy, declared }, this.configuredSignals, change);
  }

  /** Takes over what {@link judge} found nothing wrong with. */
  change({ next: { values, uses, strategy, declared } }: JudgedChange): void {
    this.values = Object.freeze({ ...values });
    this.uses = uses;
    this.declared = declared;
    if (strategy === this.strategy) return;
    this.strategy = strategy;
    this.runner = openRunner(strategy);
  }

  /** What is to be kept across restarts; null: the strategy does not say that it is to be. */
  get stateVersion(): string | null {
    const version = 'quote' in this.strategy ? this.strategy.stateVersion : undefined;
    return version === undefined ? null : String(version);
  }

  /** What good ladders left, by market or event; a state is the same object until another takes its place. */
  *states(): IterableIterator<readonly [MarketId | EventId, PlainJson]> {
    for (const [id, { state }] of this.isOfEvents ? this.events : this.markets)
      if (state !== this.initialState) yield [id, state];
  }

  /** Goes on from what an earlier run left, before the first step. Markets that are not quoted are passed over. */
  restore(states: Readonly<Record<string, PlainJson>>): void {
    for (const [id, state] of Object.entries(states)) {
      if (this.isOfEvents) this.events.set(id as EventId, { state: plainOrNull(state) });
      const memory = this.markets.get(id as MarketId);
      if (memory !== undefined) memory.state = plainOrNull(state);
    }
  }

  /** What its signals remember of a market across restarts. */
  signalMemory(market: MarketId): SignalMemory {
    return this.markets.get(market)!;
  }

  /** What its signals are to remember across restarts. The strategy and its version do not matter to them. */
  get keptSignals(): Kept {
    const { name, markets } = this;
    return {
      name,
      strategy: { name: SIGNALS },
      stateVersion: '1',
      *states() {
        for (const [market, { signals }] of markets)
          if (Object.keys(signals).length > 0) yield [market, signals];
      },
      restore(states) {
        for (const [market, memory] of markets)
          memory.signals = (states[market] ?? {}) as SignalMemory['signals'];
      },
    };
  }

  private get isOfEvents(): boolean {
    return 'quote' in this.strategy && this.strategy.scope === 'event';
  }

  /** It quotes the market, too; what it remembers of a market that it left goes on. */
  join(market: MarketId, tickUnits: number): void {
    const known = this.markets.get(market);
    if (known === undefined) this.markets.set(market, { tickUnits, state: this.initialState, signals: {} });
    else known.tickUnits = tickUnits;
  }

  /** The market's prices are on another grid from now on. */
  changeTick(market: MarketId, tickUnits: number): void {
    const known = this.markets.get(market);
    if (known !== undefined) known.tickUnits = tickUnits;
  }

  /**
   * A person lets it run again after a fault, as it was loaded: a stream begins anew, the memory is that of the last good
   * ladder. What the fault came from, it may meet again, and is stopped again.
   */
  resume(): void {
    if (this.stopped === null) return;
    this.stopped = null;
    this.runner = openRunner(this.strategy);
  }

  private completed(context: ContextWithoutInstance): AnyContext {
    const params = this.values as AnyContext['params'];
    const memory = this.markets.get(context.market.id);
    const state = memory === undefined ? this.initialState : memory.state;
    return contextFor(context, params, state);
  }

  private askEvent(
    context: EventWithoutInstance,
    outcomes: readonly MarketId[],
    { state }: Memory,
  ): Answered {
    const { strategy } = this;
    if (!('quote' in strategy) || strategy.scope !== 'event') return NOTHING;
    const answer = strategy.quote(eventContextFor(context, this.values as AnyContext['params'], state));
    if (answer instanceof Promise) return refusePromise(answer);
    return intentsOf(answer, outcomes);
  }

  /** @param event memory of the event that was asked about; left out, each market has its own */
  private guarded(ask: () => Answered, event?: Memory): Decision {
    this.watch?.asked();
    try {
      return this.accept(ask(), event);
    } catch (error) {
      return faulty('threw', describeThrown(error));
    } finally {
      this.watch?.answered(this.name);
    }
  }

  /** All of an answer or nothing of it. */
  private accept(answered: Answered, event: Memory | undefined): Decision {
    if (!answered.ok) return answered;
    const [first] = answered.intents;
    if (first !== undefined && answered.intents.length === 1) {
      const one = this.acceptOne(first, event);
      if (!one.ok) return one;
      this.keep(one);
      return decisionOf([one.intent], one.wakeInMs ?? Infinity);
    }
    const accepted: Accepted[] = [];
    for (const streamed of answered.intents) {
      const one = this.acceptOne(streamed, event);
      if (!one.ok) return one;
      accepted.push(one);
    }
    const intents: QuoteIntent[] = [];
    let wakeInMs = Infinity;
    for (const one of accepted) {
      const { intent, wakeInMs: wake } = one;
      const before = intents.findIndex(({ marketId }) => marketId === intent.marketId);
      if (before === -1) intents.push(intent);
      else intents[before] = intent;
      this.keep(one);
      if (wake !== undefined) wakeInMs = Math.min(wakeInMs, wake);
    }
    return decisionOf(intents, wakeInMs);
  }

  /** Remembers the state that an answer leaves. */
  private keep({ memory, state }: Accepted): void {
    if (state === null) return;
    memory.state = state.copy;
    this.remembers = true;
  }

  private acceptOne(
    { marketId, ladder, take }: AnsweredIntent,
    event: Memory | undefined,
  ): Accepted | Faulty {
    const market = this.markets.get(marketId);
    if (market === undefined)
      return faulty('foreign-market', `market ${String(marketId)} is not quoted by this instance`);
    if (typeof ladder !== 'object' || ladder === null) return faulty('malformed', 'it gave no ladder');
    const { state, wakeInMs } = ladder;
    if (wakeInMs !== undefined && !(wakeInMs > 0))
      return faulty('malformed', `wakeInMs is ${wakeInMs}; expected milliseconds above 0`);
    const memory = event ?? market;
    const copied = state === undefined ? null : copyPlain(state, memory.state);
    if (copied?.ok === false) return faulty('malformed', copied.why);
    const result = toIntent(ladder, marketId, market.tickUnits);
    if (!result.ok) return result;
    const intent = take === undefined ? result.intent : { ...result.intent, take };
    return { ok: true, memory, intent, state: copied, wakeInMs };
  }

  /** Somebody else stops it. @returns whether it ran until now */
  halt(code: FaultCode, text: string): boolean {
    if (this.stopped !== null) return false;
    this.stop(faulty(code, text));
    return true;
  }

  private stop(fault: Faulty): Faulty {
    this.stopped = fault;
    try {
      this.runner.close();
    } catch (error) {
      const { code, text } = fault.fault;
      this.stopped = faulty(code, `${text}; its teardown threw as well: ${describeThrown(error)}`);
    }
    return this.stopped;
  }
}

const NO_INTENTS: Decision = { ok: true, intents: [] };

const decisionOf = (intents: readonly QuoteIntent[], wakeInMs: number): Decision =>
  wakeInMs === Infinity ? { ok: true, intents } : { ok: true, intents, wakeInMs };

/** What is kept across restarts, by market or event. */
export interface Kept {
  /** Of the instance. */
  readonly name: string;
  /** Whose memory it is. */
  readonly strategy: { readonly name: string };
  /** See {@link StrategyInstance.stateVersion}. */
  readonly stateVersion: string | null;
  states(): Iterable<readonly [MarketId | EventId, PlainJson]>;
  restore(states: Readonly<Record<string, PlainJson>>): void;
}

/** In the place of a strategy's name, which has no spaces. */
export const SIGNALS = 'its signals';

interface Memory {
  /** What the last good answer left. */
  state: PlainJson;
}

/** What an instance knows of one market. */
interface MarketMemory extends Memory, SignalMemory {
  tickUnits: number;
}

interface Accepted {
  readonly ok: true;
  readonly memory: Memory;
  readonly intent: QuoteIntent;
  /** null: the memory stays as it is. */
  readonly state: { readonly copy: PlainJson } | null;
  readonly wakeInMs: number | undefined;
}

/** A frozen copy: instances and markets share nothing. That it is plain JSON was checked when it was loaded. */
function plainOrNull(state: PlainJson | undefined): PlainJson {
  const copied = copyPlain(state ?? null);
  return copied.ok ? copied.copy : null;
}
