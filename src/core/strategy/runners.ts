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
  const { ladders, state, wakeInMs } = answer ?? {};
  if (typeof ladders !== 'object' || ladders === null) return faulty('malformed', 'it gave no ladders');
  const given = new Map(ladders instanceof Map ? ladders : Object.entries(ladders));
  const strange = [...given.keys()].find((id) => !outcomes.includes(id as MarketId));
  if (strange !== undefined)
    return faulty(
      'foreign-market',
      `market ${String(strange)} is not an outcome of the event that it quotes`,
    );
  const ofEvent = { ...(state !== undefined && { state }), ...(wakeInMs !== undefined && { wakeInMs }) };
  const intents = outcomes.map((marketId, at) => {
    const { bids, asks } = given.has(marketId) ? (given.get(marketId) ?? NO_LADDER) : NO_QUOTES;
    return { marketId, ladder: { bids, asks, ...(at === 0 && ofEvent) } };
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
