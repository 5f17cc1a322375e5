/** How an instance asks its strategy: a function of the context, a function of a whole event, or a stream. */
import type { MarketId } from '../../domain/ids.js';
import type { AnyContext } from './context.js';
import type { EventLadders, EventStrategy, Ladder, QuoteStrategy } from './contract.js';
import { type Faulty, faulty } from './fault.js';
import { NO_QUOTES } from './quoting.js';
import type { AnyStrategy } from './registry.js';
import { type Answered, type Runner, StreamRunner } from './streams.js';

export const openRunner = (strategy: AnyStrategy): Runner =>
  'quote' in strategy ? new QuoteRunner(strategy) : new StreamRunner(strategy);

/** A ladder for each outcome; the first carries what concerns the event as a whole. */
export function intentsOf(answer: EventLadders, outcomes: readonly MarketId[]): Answered {
  const { ladders, takes = [], state, wakeInMs } = answer ?? {};
  if (typeof ladders !== 'object' || ladders === null) return faulty('malformed', 'it gave no ladders');
  const given = new Map(ladders instanceof Map ? ladders : Object.entries(ladders));
  if (!Array.isArray(takes)) return faulty('malformed', 'its takes are no list');
  const taken = new Map(takes.map((take) => [take.marketId, take]));
  if (taken.size < takes.length) return faulty('malformed', 'it takes twice in one market');
  const strange = [...given.keys(), ...taken.keys()].find((id) => !outcomes.includes(id as MarketId));
  if (strange !== undefined)
    return faulty(
      'foreign-market',
      `market ${String(strange)} is not an outcome of the event that it quotes`,
    );
  const ofEvent = { ...(state !== undefined && { state }), ...(wakeInMs !== undefined && { wakeInMs }) };
  const intents = outcomes.map((marketId, at) => {
    const ladder = given.has(marketId) ? (given.get(marketId) ?? NO_LADDER) : NO_QUOTES;
    const sides = { bids: ladder.bids, asks: ladder.asks, ...(at === 0 && ofEvent) };
    const take = taken.get(marketId);
    if (take === undefined) return { marketId, ladder: sides };
    const order = { ...take, reason: [{ label: 'take', value: take.price }] };
    const instead = take.side === 'bid' ? { bids: [order] } : { asks: [order] };
    return { marketId, ladder: { ...sides, ...instead }, take: take.side };
  });
  return { ok: true, intents };
}

/** What is no ladder is refused as one without sides. */
const NO_LADDER = {} as Ladder;

export const NOTHING: Answered = { ok: true, intents: [] };

/** Runs a pure function of the context. */
class QuoteRunner implements Runner {
  constructor(private readonly strategy: QuoteStrategy | EventStrategy) {}

  run(context: AnyContext): Answered {
    if (this.strategy.scope === 'event') return NOTHING;
    const ladder = this.strategy.quote(context);
    if (ladder instanceof Promise) return refusePromise(ladder);
    return { ok: true, intents: [{ marketId: context.market.id, ladder }] };
  }

  advance(): Answered {
    return NOTHING;
  }

  nextDueMs(): null {
    return null;
  }

  close(): void {
    // A function holds nothing.
  }
}

export function refusePromise(promise: Promise<unknown>): Faulty {
  // Left alone, its rejection would end the process long after this step.
  promise.catch(() => undefined);
  return faulty('malformed', 'quote(context) returned a promise; it has to answer within the step');
}
