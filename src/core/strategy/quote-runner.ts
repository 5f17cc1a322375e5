import { faulty, type Faulty } from './fault.js';
import type { AnyStrategy } from './registry.js';
import type { AnyContext, Answered, Runner } from './runner.js';

const NOTHING: Answered = { ok: true, intents: [] };

/** Runs a pure function of the context. */
export class QuoteRunner implements Runner {
  constructor(private readonly strategy: Extract<AnyStrategy, { quote: unknown }>) {}

  run(context: AnyContext): Answered {
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

function refusePromise(promise: Promise<unknown>): Faulty {
  // Left alone, its rejection would end the process long after this step.
  promise.catch(() => undefined);
  return faulty('malformed', 'quote(context) returned a promise; it has to answer within the step');
}
