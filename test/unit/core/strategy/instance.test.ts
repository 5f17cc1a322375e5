import { marketOf } from 'oddsmith/sdk/testing';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { seededRandom } from '../../../../src/storage/clocks/seeded-random.js';
import { type Decision, StrategyInstance } from '../../../../src/core/strategy/instance.js';
import type { AnyModifier } from '../../../../src/core/strategy/modifiers.js';
import type { AnyStrategy } from '../../../../src/core/strategy/registry.js';
import {
  defineModifier,
  defineStrategy,
  movedAway,
  NO_QUOTES,
  param,
  quoteAt,
} from '../../../../src/core/strategy/sdk.js';
import { contextOf, instanceOf, MARKET, OTHER_MARKET } from '../../../support/bot/strategy-context.js';

/** A strategy that answers every call like this. */
const answering = (quote: (context: never) => unknown, initialState?: unknown): unknown => ({
  name: 'tested',
  params: {},
  quote,
  ...(initialState === undefined ? {} : { initialState }),
});
const one = (price = 0.4) => ({ bids: [quoteAt(price, 10, { fair: price })], asks: [] });
const codeOf = (decision: Decision): string | null => (decision.ok ? null : decision.fault.code);
const decideOnce = (quote: (context: never) => unknown): Decision =>
  instanceOf(answering(quote)).decide(contextOf());

describe('an instance', () => {
  it('turns a ladder into an intent for the market of the context', () => {
    const decision = instanceOf(answering(() => one(0.4))).decide(contextOf());
    expect(decision).toEqual({
      ok: true,
      intents: [
        {
          marketId: MARKET,
          bids: [{ price: 40, shares: 1_000, reason: [{ label: 'fair', value: 0.4 }] }],
          asks: [],
        },
      ],
    });
  });

  it('shows the strategy its parameters with their types', () => {
    const strategy = defineStrategy({
      name: 'typed',
      params: {
        depth: param.count({ default: 2, help: '' }),
        side: param.choice({ values: ['both', 'bids'], default: 'both', help: '' }),
        isOn: param.switch({ default: true, help: '' }),
      },
      initialState: { calls: 0 },
      quote: ({ params, state }) => {
        expectTypeOf(params).toEqualTypeOf<{
          readonly depth: number;
          readonly side: 'both' | 'bids';
          readonly isOn: boolean;
        }>();
        expectTypeOf(state.calls).toEqualTypeOf<number>();
        expect(params).toEqual({ depth: 3, side: 'both', isOn: true });
        return NO_QUOTES;
      },
    });
    expect(instanceOf(strategy, { depth: 3 }).decide(contextOf()).ok).toBe(true);
  });

  it('hands on the random numbers of the context', () => {
    const draws: number[] = [];
    const instance = instanceOf(
      answering(({ random }: { random: { uniform(): number } }) => {
        draws.push(random.uniform());
        return NO_QUOTES;
      }),
    );
    for (const seed of [5, 5, 6]) instance.decide(contextOf({ random: seededRandom(seed) }));
    expect(draws[0]).toBe(draws[1]);
    expect(draws[0]).not.toBe(draws[2]);
  });
});

describe('a strategy that fails', () => {
  it.each<[string, () => unknown]>([
    [
      'an error',
      () => {
        throw new Error('boom');
      },
    ],
    [
      'a text',
      () => {
        throw 'boom';
      },
    ],
    [
      'an object that cannot be described',
      () => {
        throw Object.create(null);
      },
    ],
    [
      'an error with a message that throws',
      () => {
        throw Object.defineProperty(new Error('x'), 'message', {
          get: () => {
            throw new Error('y');
          },
        });
      },
    ],
    [
      'a stack overflow',
      function again(): unknown {
        return again();
      },
    ],
  ])('is stopped when it throws %s', (_what, quote) => {
    expect(codeOf(decideOnce(quote))).toBe('threw');
  });

  it('is told where in its file it threw, past what it called of the engine and of libraries', () => {
    const thrown = new RangeError('no rung');
    thrown.stack = [
      'RangeError: no rung',
      `    at passiveBid (${new URL('../../../../src/core/strategy/quoting.js', import.meta.url).href}:3:9)`,
      '    at map (/opt/node_modules/rxjs/dist/map.js:10:2)',
      '    at Array.map (<anonymous>)',
      '    at Object.quote (/opt/my bots/mine.ts:12:5)',
      '    at other (file:///opt/other.ts:1:1)',
    ].join('\n');
    const textOf = () => {
      const decision = decideOnce(() => {
        throw thrown;
      });
      return decision.ok ? '' : decision.fault.text;
    };
    expect(textOf()).toBe('RangeError: no rung (mine.ts:12:5)');
    thrown.stack = 'RangeError: no rung';
    expect(textOf()).toBe('RangeError: no rung');
  });

  it('is stopped when a getter of its answer throws', () => {
    const explosive = {
      get bids(): never {
        throw new Error('boom');
      },
      asks: [],
    };
    expect(codeOf(decideOnce(() => explosive))).toBe('threw');
    const price = {
      get price(): never {
        throw new Error('boom');
      },
      shares: 1,
      reason: [],
    };
    expect(codeOf(decideOnce(() => ({ bids: [price], asks: [] })))).toBe('threw');
  });

  it.each([undefined, null, 5, 'x', [], {}])('is stopped when it returns %j', (answer) => {
    expect(codeOf(decideOnce(() => answer))).toBe('malformed');
  });

  it('is stopped when it returns a promise, whose rejection harms nobody', async () => {
    const rejected = Promise.reject(new Error('later'));
    expect(codeOf(decideOnce(() => rejected))).toBe('malformed');
    await expect(rejected).rejects.toThrow('later');
  });

  it('says what was wrong in a text of bounded length', () => {
    const decision = decideOnce(() => {
      throw new Error('x'.repeat(10_000));
    });
    expect(decision.ok ? '' : decision.fault.text).toMatch(/^Error: x{100}/);
    expect(decision.ok ? '' : decision.fault.text.length).toBeLessThanOrEqual(500);
  });

  it('stays stopped with the fault that stopped it, and is not asked again', () => {
    let calls = 0;
    const instance = instanceOf(
      answering(() => {
        calls += 1;
        throw new Error(`boom ${calls}`);
      }),
    );
    const first = instance.decide(contextOf());
    expect(instance.decide(contextOf())).toEqual(first);
    expect(instance.advance(0)).toEqual({ ok: true, intents: [] });
    expect(instance.fault?.text).toMatch(/^Error: boom 1 \(/);
    expect(calls).toBe(1);
  });

  it('does not stop another instance of the same strategy', () => {
    const strategy = answering(({ market }: { market: { title: string } }) => {
      if (market.title === 'bad') throw new Error('boom');
      return one();
    });
    const [stopped, running] = [instanceOf(strategy), instanceOf(strategy)];
    stopped.decide(contextOf({ market: marketOf({ title: 'bad' }) }));
    expect(stopped.fault?.code).toBe('threw');
    expect(running.decide(contextOf()).ok).toBe(true);
  });

  it('runs again once a person resumes it', () => {
    let isBroken = true;
    const instance = instanceOf(answering(() => (isBroken ? null : one())));
    instance.decide(contextOf());
    isBroken = false;
    instance.resume();
    expect(instance.fault).toBeNull();
    expect(instance.decide(contextOf()).ok).toBe(true);
  });
});

describe('the memory of a strategy', () => {
  const counting = () => {
    const seen: unknown[] = [];
    const quote = ({ state }: { state: { calls: number } }) => {
      seen.push(state);
      return { ...NO_QUOTES, state: { calls: state.calls + 1 } };
    };
    return { seen, instance: instanceOf(answering(quote, { calls: 0 })) };
  };
  const elsewhere = contextOf({ market: marketOf({ id: Number(OTHER_MARKET) }) });

  it('begins with the initial state and is kept per market', () => {
    const { seen, instance } = counting();
    for (const context of [contextOf(), contextOf(), elsewhere, contextOf()]) instance.decide(context);
    expect(seen).toEqual([{ calls: 0 }, { calls: 1 }, { calls: 0 }, { calls: 2 }]);
  });

  it('stays as it is when a ladder leaves it out', () => {
    const states: unknown[] = [];
    const answers = [{ ...NO_QUOTES, state: [1] }, NO_QUOTES, { ...NO_QUOTES, state: null }, NO_QUOTES];
    const instance = instanceOf(
      answering(({ state }: { state: unknown }) => {
        states.push(state);
        return answers[states.length - 1];
      }, 'fresh'),
    );
    for (const _ of answers) instance.decide(contextOf());
    expect(states).toEqual(['fresh', [1], [1], null]);
  });

  it('is a copy: what the strategy does to its own object later changes nothing', () => {
    const kept = { calls: 1 };
    const seen: unknown[] = [];
    const instance = instanceOf(
      answering(({ state }: { state: unknown }) => {
        seen.push(state);
        kept.calls += 1;
        return { ...NO_QUOTES, state: kept };
      }),
    );
    for (let call = 0; call < 3; call++) instance.decide(contextOf());
    expect(seen).toEqual([null, { calls: 2 }, { calls: 3 }]);
  });

  it('is frozen, the initial one, too: changing it in place stops the strategy', () => {
    const strategy = answering(
      ({ state }: { state: { calls: number } }) => {
        state.calls += 1;
        return NO_QUOTES;
      },
      { calls: 0 },
    );
    expect(codeOf(instanceOf(strategy).decide(contextOf()))).toBe('threw');
  });

  it.each([
    ['a date', { at: new Date(0) }],
    ['a function', { at: () => 0 }],
    ['NaN', [1, NaN]],
    ['a map', new Map()],
  ])('that is %s stops it', (_what, state) => {
    expect(codeOf(decideOnce(() => ({ ...NO_QUOTES, state })))).toBe('malformed');
  });

  it('is not changed by a ladder that is refused', () => {
    const seen: unknown[] = [];
    const instance = instanceOf(
      answering(({ state }: { state: unknown }) => {
        seen.push(state);
        return seen.length === 1 ? { bids: [quoteAt(2, 1, {})], asks: [], state: 'bad' } : NO_QUOTES;
      }),
    );
    instance.decide(contextOf());
    instance.resume();
    instance.decide(contextOf());
    expect(seen).toEqual([null, null]);
  });
});

describe('changing parameters while running', () => {
  const strategy = defineStrategy({
    name: 'tunable',
    params: {
      gap: param.probability({ default: 0.02, max: 0.5, help: '' }),
      depth: param.count({ default: 1, live: false, help: '' }),
    },
    quote: ({ params }) => one(0.5 - params.gap),
  });
  /** As an operator's command does it. */
  const set = (instance: StrategyInstance, params: Readonly<Record<string, unknown>>) => {
    const judged = instance.judge({ params, modifiers: [] });
    if (judged.issues.length === 0) instance.change(judged);
    return judged.issues;
  };
  const bidOf = (decision: Decision): number | undefined =>
    decision.ok ? decision.intents[0]?.bids[0]?.price : undefined;

  it('takes effect at the next call', () => {
    const instance = instanceOf(strategy);
    expect(bidOf(instance.decide(contextOf()))).toBe(48);
    expect(set(instance, { gap: '0.05' })).toEqual([]);
    expect(bidOf(instance.decide(contextOf()))).toBe(45);
  });

  it('refuses what is out of range and changes nothing', () => {
    const instance = instanceOf(strategy);
    const issues = set(instance, { gap: 0.6 });
    expect(issues).toMatchObject([
      { name: 'gap', found: 0.6, expected: 'a number (probability) from 0 to 0.5' },
    ]);
    expect(instance.parameters).toEqual({ gap: 0.02, depth: 1 });
  });

  it('names the nearest known parameter', () => {
    expect(set(instanceOf(strategy), { dpeth: 1 })).toMatchObject([{ name: 'dpeth', nearest: 'depth' }]);
  });

  it('reaches modifiers, and leaves everything as it is where one value is wrong', () => {
    const modifier = defineModifier({
      name: 'shift',
      params: { by: param.probability({ default: 0.01, max: 0.2, help: '' }) },
      apply: ({ bids, asks }, { params }) => ({ bids: movedAway(bids, 'bid', params.by), asks }),
    });
    const instance = new StrategyInstance({
      name: 'modified',
      strategy: strategy as unknown as AnyStrategy,
      modifiers: [{ modifier: modifier as unknown as AnyModifier, parameters: { by: 0.01 } }],
      parameters: { gap: 0.02, depth: 1 },
      tickUnits: new Map([[MARKET, 100]]),
    });
    const good = instance.judge({ params: { gap: 0.03 }, modifiers: [{ by: 0.05 }] });
    expect(good.differences).toEqual([
      { name: 'gap', before: 0.02, after: 0.03, live: true },
      { name: 'shift.by', before: 0.01, after: 0.05, live: true },
    ]);
    instance.change(good);
    expect(bidOf(instance.decide(contextOf()))).toBe(42);
    expect(instance.judge({ params: { gap: 0.04 }, modifiers: [{ by: 0.3 }] }).issues).toMatchObject([
      { name: 'shift.by', found: 0.3 },
    ]);
    expect(bidOf(instance.decide(contextOf()))).toBe(42);
  });

  it('refuses a parameter that is read at the start only, unless it stays the same', () => {
    const instance = instanceOf(strategy);
    expect(set(instance, { gap: 0.03, depth: 2 })).toMatchObject([{ name: 'depth', found: 2 }]);
    expect(instance.parameters['gap']).toBe(0.02);
    expect(set(instance, { gap: 0.03, depth: '1' })).toEqual([]);
  });
});
