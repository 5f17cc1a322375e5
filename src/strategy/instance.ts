import type { MarketId } from '../domain/ids.js';
import type { QuoteIntent } from '../domain/intent.js';
import type { PlainJson, StreamedIntent } from './contract.js';
import { describeThrown, type Faulty, faulty, type StrategyFault } from './fault.js';
import { toIntent } from './ladder.js';
import { checkParameters, type ParameterIssue } from './parameters.js';
import { copyPlain } from './plain-json.js';
import { QuoteRunner } from './quote-runner.js';
import type { AnyStrategy } from './registry.js';
import type { AnyContext, Answered, Runner } from './runner.js';
import { SaidLadder } from './said-ladder.js';
import { StreamRunner } from './stream-runner.js';

/** The part of a context that the instance itself supplies is left out. */
export type ContextWithoutInstance = Omit<AnyContext, 'params' | 'state'>;

/** What one call brought: new intents, at most one per market, or the fault that stopped the instance. */
export type Decision =
  | { readonly ok: true; readonly intents: readonly QuoteIntent[] }
  | { readonly ok: false; readonly fault: StrategyFault };

export interface InstanceOptions {
  /** Of the instance; several may use one strategy. */
  readonly name: string;
  readonly strategy: AnyStrategy;
  /** As {@link checkParameters} returned them. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Price units per tick of each market that the instance quotes; intents for any other are a fault. */
  readonly tickUnits: ReadonlyMap<MarketId, number>;
}

/**
 * One configured use of a strategy: its parameters, its memory per market, and whether a fault has stopped it.
 * Calls are guarded: nothing a strategy does can throw into the engine.
 */
export class StrategyInstance {
  readonly name: string;
  readonly strategy: AnyStrategy;
  private readonly markets: ReadonlyMap<MarketId, MarketMemory>;
  private readonly initialState: PlainJson;
  private values: Readonly<Record<string, unknown>>;
  private runner: Runner;
  private stopped: Faulty | null = null;

  constructor({ name, strategy, parameters, tickUnits }: InstanceOptions) {
    this.name = name;
    this.strategy = strategy;
    this.initialState = 'quote' in strategy ? plainOrNull(strategy.initialState) : null;
    this.markets = new Map(
      [...tickUnits].map(([market, units]) => [
        market,
        { tickUnits: units, state: this.initialState, said: new SaidLadder(), shown: null, decided: null },
      ]),
    );
    // Assigned: a spread would give the values of each run a hidden class of their own.
    this.values = Object.freeze(Object.assign({}, parameters));
    this.runner = openRunner(strategy);
  }

  /** The fault that stopped this instance, null while it runs. */
  get fault(): StrategyFault | null {
    return this.stopped?.fault ?? null;
  }

  get parameters(): Readonly<Record<string, unknown>> {
    return this.values;
  }

  /** Asks the strategy. Once a fault has stopped the instance, every answer is that fault. */
  decide(context: ContextWithoutInstance): Decision {
    if (this.stopped !== null) return this.stopped;
    const decision = this.asked(context);
    return decision.ok ? decision : this.stop(decision);
  }

  /** Lets time pass for a stream strategy; nothing comes of it while the instance is stopped. */
  advance(nowMs: number): Decision {
    if (this.stopped !== null) return NO_INTENTS;
    const decision = this.advanced(nowMs);
    return decision.ok ? decision : this.stop(decision);
  }

  /** When a stream strategy wants to be woken; null when it does not. */
  nextDueMs(): number | null {
    return this.stopped === null ? this.runner.nextDueMs() : null;
  }

  /**
   * Changes parameters while running; only those declared `live`.
   * @returns what is wrong; nothing was changed then
   */
  setParameters(changes: Readonly<Record<string, unknown>>): readonly ParameterIssue[] {
    const check = checkParameters(this.strategy.params, { ...this.values, ...changes });
    if (!check.ok) return check.issues;
    const fixed = Object.entries(this.strategy.params).filter(
      ([name, { live }]) => !live && check.values[name] !== this.values[name],
    );
    if (fixed.length > 0) return fixed.map(([name]) => notLive(name, changes[name]));
    this.values = Object.freeze(check.values);
    return [];
  }

  /** The market's prices are on another grid from now on. */
  changeTick(market: MarketId, tickUnits: number): void {
    const known = this.markets.get(market);
    if (known === undefined) return;
    known.tickUnits = tickUnits;
    known.said.forget();
  }

  /** A person lets it run again after a fault: a stream begins anew, the memory is that of the last good ladder. */
  resume(): void {
    if (this.stopped === null) return;
    this.stopped = null;
    this.runner = openRunner(this.strategy);
  }

  /**
   * Field by field: on the hot path a spread costs as much as the rest of a call. A function is done with its context
   * when it returns, so each market's is filled again.
   */
  private completed(context: ContextWithoutInstance): AnyContext {
    const known = this.markets.get(context.market.id);
    const state = known === undefined ? this.initialState : known.state;
    const params = this.values as AnyContext['params'];
    const shown = known?.shown ?? null;
    if (shown !== null) return filled(shown, context, params, state);
    const { market, event, book, inventory, working, fair, nowMs, random } = context;
    const made = { market, event, book, inventory, working, fair, nowMs, params, state, random };
    if (known !== undefined && 'quote' in this.strategy) known.shown = made;
    return made;
  }

  private asked(context: ContextWithoutInstance): Decision {
    try {
      return this.accept(this.runner.run(this.completed(context)));
    } catch (error) {
      return faulty('threw', describeThrown(error));
    }
  }

  private advanced(nowMs: number): Decision {
    try {
      return this.accept(this.runner.advance(nowMs));
    } catch (error) {
      return faulty('threw', describeThrown(error));
    }
  }

  /** All of an answer or nothing of it. */
  private accept(answered: Answered): Decision {
    if (!answered.ok) return answered;
    const { intents: streamed } = answered;
    if (streamed.length === 0) return NO_INTENTS;
    if (streamed.length === 1) return this.acceptOnly(streamed[0]!);
    const accepted: Accepted[] = [];
    for (const intent of streamed) {
      const one = this.acceptOne(intent);
      if (!one.ok) return one;
      accepted.push(one);
    }
    const intents = new Map(accepted.map(({ intent }) => [intent.marketId, intent]));
    for (const { memory, state } of accepted) if (state !== null) memory.state = state.copy;
    return { ok: true, intents: [...intents.values()] };
  }

  /** The hot path: what a function of the context answers. */
  private acceptOnly(streamed: StreamedIntent): Decision {
    const one = this.acceptOne(streamed);
    if (!one.ok) return one;
    const { memory, intent, state } = one;
    if (state !== null) memory.state = state.copy;
    if (memory.decided?.intents[0] !== intent) memory.decided = { ok: true, intents: [intent] };
    return memory.decided;
  }

  private acceptOne({ marketId, ladder }: StreamedIntent): Accepted | Faulty {
    const memory = this.markets.get(marketId);
    if (memory === undefined)
      return faulty('foreign-market', `market ${String(marketId)} is not quoted by this instance`);
    if (typeof ladder !== 'object' || ladder === null) return faulty('malformed', 'it gave no ladder');
    const { state } = ladder;
    const copied = state === undefined ? null : copyPlain(state);
    if (copied?.ok === false) return faulty('malformed', copied.why);
    const again = memory.said.again(ladder);
    if (again !== null) return { ok: true, memory, intent: again, state: copied };
    const result = toIntent(ladder, marketId, memory.tickUnits);
    if (!result.ok) return result;
    memory.said.note(ladder, result.intent);
    return { ok: true, memory, intent: result.intent, state: copied };
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

/** What an instance knows of one market. */
interface MarketMemory {
  tickUnits: number;
  /** What the last good ladder left. */
  state: PlainJson;
  readonly said: SaidLadder;
  /** The context that a function sees, once there is one. */
  shown: Shown | null;
  /** The last decision that was about this market alone. */
  decided: Decided | null;
}

type Shown = { -readonly [K in keyof AnyContext]: AnyContext[K] };
type Decided = Extract<Decision, { readonly ok: true }>;

interface Accepted {
  readonly ok: true;
  readonly memory: MarketMemory;
  readonly intent: QuoteIntent;
  /** null: the memory stays as it is. */
  readonly state: { readonly copy: PlainJson } | null;
}

function filled(
  shown: Shown,
  { market, event, book, inventory, working, fair, nowMs, random }: ContextWithoutInstance,
  params: AnyContext['params'],
  state: PlainJson,
): AnyContext {
  shown.market = market;
  shown.event = event;
  shown.book = book;
  shown.inventory = inventory;
  shown.working = working;
  shown.fair = fair;
  shown.nowMs = nowMs;
  shown.params = params;
  shown.state = state;
  shown.random = random;
  return shown;
}

const openRunner = (strategy: AnyStrategy): Runner =>
  'quote' in strategy ? new QuoteRunner(strategy) : new StreamRunner(strategy);

/** A frozen copy: instances and markets share nothing. That it is plain JSON was checked when it was loaded. */
function plainOrNull(state: PlainJson | undefined): PlainJson {
  const copied = copyPlain(state ?? null);
  return copied.ok ? copied.copy : null;
}

const notLive = (name: string, found: unknown): ParameterIssue => ({
  name,
  found,
  expected: 'no change while running: this parameter is read at the start only',
  nearest: null,
});
