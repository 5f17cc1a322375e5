import { delay as realDelay, finalize, from, merge, NEVER, of, throwError } from 'rxjs';
import { marketOf } from 'oddsmith/sdk/testing';
import { describe, expect, it } from 'vitest';
import { LAZY } from '../../../../src/core/strategy/context.js';
import type { StreamContext } from '../../../../src/core/strategy/contract.js';
import type { Decision } from '../../../../src/core/strategy/instance.js';
import {
  interval,
  map,
  mergeMap,
  NO_QUOTES,
  Observable,
  quoteAt,
  timer,
} from '../../../../src/core/strategy/sdk.js';
import calmQuotes from '../../../support/strategies/calm-quotes.js';
import { contextOf, instanceOf, MARKET, OTHER_MARKET } from '../../../support/bot/strategy-context.js';

const START = 1_786_000_000_000;
const streaming = (streams: (context: StreamContext) => unknown): unknown => ({
  name: 'tested',
  params: {},
  streams,
});
const at = (ms: number, p = 0.5) => contextOf({ nowMs: START + ms, fair: { p, ageMs: 0, confidence: 1 } });
const bidAt = (price: number) => ({ bids: [quoteAt(price, 1, { fair: price })], asks: [] });
const pricesOf = (decision: Decision): readonly (number | undefined)[] =>
  decision.ok ? decision.intents.map(({ bids }) => bids[0]?.price) : [];
const codeOf = (decision: Decision): string | null => (decision.ok ? null : decision.fault.code);

describe('a stream strategy', () => {
  it('answers within the step in which it was given the context', () => {
    const instance = instanceOf(
      streaming(({ contexts }) =>
        contexts.pipe(map(({ market, fair }) => ({ marketId: market.id, ladder: bidAt(fair?.p ?? 0.1) }))),
      ),
    );
    expect(pricesOf(instance.decide(at(0, 0.4)))).toEqual([40]);
    expect(pricesOf(instance.decide(at(1, 0.41)))).toEqual([41]);
    expect(instance.nextDueMs()).toBeNull();
  });

  it('is not taken to look at the time, unless it does', () => {
    const looksAtTime = (streams: (context: StreamContext) => unknown): boolean => {
      let looked = false;
      const context = Object.defineProperty({ ...at(0), [LAZY]: new Set(['nowMs'] as const) }, 'nowMs', {
        get: () => ((looked = true), START),
        enumerable: true,
      });
      expect(instanceOf(streaming(streams)).decide(context, START).ok).toBe(true);
      return looked;
    };
    const answered = { marketId: MARKET, ladder: NO_QUOTES };
    expect(looksAtTime(({ contexts }) => contexts.pipe(map(() => answered)))).toBe(false);
    expect(
      looksAtTime(({ contexts }) => contexts.pipe(map(({ nowMs }) => (nowMs > 0 ? answered : answered)))),
    ).toBe(true);
  });

  it('waits on the engine clock: a debounced quote comes a second after the last context', () => {
    const instance = instanceOf(calmQuotes);
    expect(pricesOf(instance.decide(at(0, 0.4)))).toEqual([]);
    expect(pricesOf(instance.decide(at(600, 0.45)))).toEqual([]);
    expect(instance.nextDueMs()).toBeLessThanOrEqual(START + 1_600);
    expect(pricesOf(instance.advance(START + 1_599))).toEqual([]);
    expect(pricesOf(instance.advance(START + 1_600))).toEqual([43]);
    expect(instance.nextDueMs()).toBeNull();
  });

  it('decides the same from the same contexts', () => {
    const run = (): unknown => {
      const instance = instanceOf(calmQuotes);
      return Array.from({ length: 50 }, (_, step) => {
        const decided = instance.decide(at(step * 397, 0.3 + (step % 7) * 0.05));
        return [decided, instance.advance(START + step * 397 + (step % 5) * 90), instance.nextDueMs()];
      });
    };
    expect(run()).toEqual(run());
  });

  it('starts its timers when it is subscribed, not at the epoch', () => {
    const instance = instanceOf(
      streaming(({ scheduler }) =>
        merge(NEVER, timer(1_000, scheduler).pipe(map(() => ({ marketId: MARKET, ladder: bidAt(0.4) })))),
      ),
    );
    expect(pricesOf(instance.decide(at(0)))).toEqual([]);
    expect(instance.nextDueMs()).toBe(START + 1_000);
    expect(pricesOf(instance.advance(START + 1_000))).toEqual([40]);
  });

  it('gives every timer its turn in order when time has leapt', () => {
    const seen: number[] = [];
    const instance = instanceOf(
      streaming(({ contexts, scheduler }) => {
        const ticks = merge(interval(400, scheduler), interval(1_000, scheduler));
        return merge(contexts, ticks).pipe(
          mergeMap(() => {
            seen.push(scheduler.now() - START);
            return [];
          }),
        );
      }),
    );
    instance.decide(at(0));
    instance.advance(START + 2_000);
    expect(seen).toEqual([0, 400, 800, 1_000, 1_200, 1_600, 2_000, 2_000]);
  });

  it('may quote any of its markets; the newest ladder of each counts', () => {
    const ladders = [
      { marketId: OTHER_MARKET, ladder: bidAt(0.1) },
      { marketId: MARKET, ladder: bidAt(0.2) },
      { marketId: OTHER_MARKET, ladder: bidAt(0.3) },
    ];
    const decision = instanceOf(streaming(({ contexts }) => contexts.pipe(mergeMap(() => ladders)))).decide(
      at(0),
    );
    expect(decision).toMatchObject({
      ok: true,
      intents: [
        { marketId: OTHER_MARKET, bids: [{ price: 30 }] },
        { marketId: MARKET, bids: [{ price: 20 }] },
      ],
    });
  });

  it('sees the present parameters', () => {
    const instance = instanceOf(calmQuotes);
    instance.change(instance.judge({ params: { halfSpread: 0.1 }, modifiers: [] }));
    instance.decide(at(0));
    expect(pricesOf(instance.advance(START + 1_000))).toEqual([40]);
  });
});

describe('a stream strategy is stopped', () => {
  const mapped = (ladder: unknown, marketId: unknown = MARKET) =>
    instanceOf(streaming(({ contexts }) => contexts.pipe(map(() => ({ marketId, ladder }))))).decide(at(0));

  it('when its stream ends with an error', () => {
    const decision = instanceOf(streaming(() => throwError(() => new Error('boom')))).decide(at(0));
    const text = expect.stringMatching(/^Error: boom \(streams\.test\.ts:\d+:\d+\)$/) as string;
    expect(decision).toEqual({ ok: false, fault: { code: 'threw', text } });
  });

  it('when an operator throws, or a timer of its own', () => {
    const failing = streaming(({ contexts }) =>
      contexts.pipe(
        map(() => {
          throw new Error('boom');
        }),
      ),
    );
    expect(codeOf(instanceOf(failing).decide(at(0)))).toBe('threw');
    const timed = instanceOf(
      streaming(({ scheduler }) => {
        scheduler.schedule(() => {
          throw new Error('boom');
        }, 10);
        return NEVER;
      }),
    );
    expect(codeOf(timed.decide(at(0)))).toBeNull();
    expect(codeOf(timed.advance(START + 10))).toBe('threw');
    expect(timed.nextDueMs()).toBeNull();
  });

  it('when it cannot be subscribed', () => {
    expect(codeOf(instanceOf(streaming(() => null)).decide(at(0)))).toBe('threw');
    expect(
      codeOf(
        instanceOf(
          streaming(() => {
            throw new Error('boom');
          }),
        ).decide(at(0)),
      ),
    ).toBe('threw');
  });

  it('when its stream completes, because nothing would ever move its quotes again', () => {
    expect(codeOf(instanceOf(streaming(() => of())).decide(at(0)))).toBe('completed');
    const afterOne = streaming(() => of({ marketId: MARKET, ladder: bidAt(0.4) }));
    expect(codeOf(instanceOf(afterOne).decide(at(0)))).toBe('completed');
  });

  it('when it quotes a market that is not its own', () => {
    expect(codeOf(mapped(NO_QUOTES, 999))).toBe('foreign-market');
    expect(codeOf(mapped(NO_QUOTES, null))).toBe('foreign-market');
  });

  it('when it emits no intent, no ladder, or one that cannot be used', () => {
    expect(
      codeOf(instanceOf(streaming(({ contexts }) => contexts.pipe(map(() => null)))).decide(at(0))),
    ).toBe('threw');
    expect(codeOf(mapped(undefined))).toBe('malformed');
    expect(codeOf(mapped({ bids: [quoteAt(0.6, 1, {})], asks: [quoteAt(0.5, 1, {})] }))).toBe('crossed');
  });

  it('when one of several intents is bad: none of them counts', () => {
    const both = [
      { marketId: MARKET, ladder: bidAt(0.4) },
      { marketId: OTHER_MARKET, ladder: bidAt(1.4) },
    ];
    const instance = instanceOf(streaming(({ contexts }) => contexts.pipe(mergeMap(() => both))));
    expect(codeOf(instance.decide(at(0)))).toBe('price-out-of-range');
  });

  it('when it emits between two steps, as a promise or the machine clock makes it', async () => {
    const late = instanceOf(
      streaming(({ contexts }) =>
        contexts.pipe(mergeMap(() => from(Promise.resolve({ marketId: MARKET, ladder: NO_QUOTES })))),
      ),
    );
    expect(codeOf(late.decide(at(0)))).toBeNull();
    await Promise.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    expect(codeOf(late.advance(START + 1))).toBe('outside-step');
  });

  it('when its timers come due again at once, for ever', () => {
    const endless = streaming(({ scheduler }) => interval(0, scheduler).pipe(mergeMap(() => [])));
    const decision = instanceOf(endless).decide(at(0));
    expect(decision).toMatchObject({ ok: false, fault: { code: 'threw' } });
  });

  it('when its teardown throws as well, and both are told', () => {
    const instance = instanceOf(
      streaming(({ contexts }) =>
        contexts.pipe(
          map(() => ({ marketId: '999', ladder: NO_QUOTES })),
          finalize(() => {
            throw new Error('teardown');
          }),
        ),
      ),
    );
    expect(instance.decide(at(0))).toMatchObject({ ok: false, fault: { code: 'foreign-market' } });
    expect(instance.fault?.text).toMatch(/market 999.*teardown/s);
  });
});

describe('a stopped stream strategy', () => {
  it('is unsubscribed, and begins anew when a person resumes it', () => {
    let [subscribed, unsubscribed] = [0, 0];
    const instance = instanceOf(
      streaming(({ contexts }) =>
        new Observable<unknown>((subscriber) => {
          subscribed += 1;
          const inner = contexts.subscribe(subscriber);
          return () => {
            unsubscribed += 1;
            inner.unsubscribe();
          };
        }).pipe(map(() => ({ marketId: subscribed === 1 ? 999 : MARKET, ladder: bidAt(0.4) }))),
      ),
    );
    instance.decide(at(0));
    expect([subscribed, unsubscribed]).toEqual([1, 1]);
    instance.resume();
    expect(pricesOf(instance.decide(contextOf({ nowMs: START + 5_000, market: marketOf() })))).toEqual([40]);
    expect([subscribed, unsubscribed]).toEqual([2, 1]);
  });

  it('is not disturbed by what its old stream still does', () => {
    const instance = instanceOf(
      streaming(({ contexts }) =>
        contexts.pipe(
          realDelay(0),
          map(() => null),
        ),
      ),
    );
    expect(codeOf(instance.decide(at(0)))).toBeNull();
  });
});
