import { Subject, type Subscription } from 'rxjs';
import type { StreamedIntent } from './contract.js';
import { describeThrown, type Faulty, faulty } from './fault.js';
import type { AnyStrategy } from './registry.js';
import type { AnyContext, Answered, Runner } from './runner.js';
import { StreamScheduler } from './stream-scheduler.js';

/** Runs a stream inside the steps of the engine: what it emits meanwhile is its answer. */
export class StreamRunner implements Runner {
  private readonly contexts = new Subject<AnyContext>();
  private readonly scheduler = new StreamScheduler();
  private subscription: Subscription | null = null;
  private emitted: StreamedIntent[] = [];
  private ended: Faulty | null = null;
  private isRunning = false;

  constructor(private readonly strategy: Extract<AnyStrategy, { streams: unknown }>) {}

  run(context: AnyContext): Answered {
    return this.step(context.nowMs, () => this.contexts.next(context));
  }

  advance(nowMs: number): Answered {
    return this.step(nowMs, () => undefined);
  }

  nextDueMs(): number | null {
    return this.scheduler.nextDueMs();
  }

  close(): void {
    this.subscription?.unsubscribe();
  }

  /** Time first: what was due before this context is older than it. */
  private step(nowMs: number, push: () => void): Answered {
    this.isRunning = true;
    try {
      this.scheduler.advanceTo(nowMs);
      this.subscription ??= this.subscribe();
      push();
      this.scheduler.advanceTo(nowMs);
    } finally {
      this.isRunning = false;
    }
    if (this.ended !== null) return this.ended;
    const intents = this.emitted;
    this.emitted = [];
    return { ok: true, intents };
  }

  private subscribe(): Subscription {
    const { contexts, scheduler } = this;
    return this.strategy.streams({ contexts: contexts.asObservable(), scheduler }).subscribe({
      next: (intent) => this.take(intent),
      // Rx would report an unhandled error on another turn of the event loop; it belongs to this step.
      error: (error: unknown) => this.end(faulty('threw', describeThrown(error))),
      complete: () => this.end(faulty('completed', 'its stream completed')),
    });
  }

  private take(intent: StreamedIntent): void {
    if (this.isRunning) this.emitted.push(intent);
    else
      this.end(faulty('outside-step', 'its stream emitted outside of a step; give operators the scheduler'));
  }

  /** The first end is the cause. */
  private end(ended: Faulty): void {
    this.ended ??= ended;
  }
}
