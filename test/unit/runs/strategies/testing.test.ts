import { contextOf, eventOf, marketOf } from 'oddsmith/sdk/testing';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../../src/domain/errors.js';
import { defineStrategy, NO_QUOTES, param } from '../../../../src/core/strategy/sdk.js';

const COUNTER = defineStrategy({
  name: 'counter',
  params: { halfSpread: param.probability({ default: 0.01, max: 0.2, help: 'distance from fair' }) },
  initialState: { asked: 3 },
  quote: ({ state }) => ({ ...NO_QUOTES, state: { asked: state.asked + 1 } }),
});

describe('a context for a test', () => {
  it('has the defaults and the first memory of the strategy that is to be asked', () => {
    const context = contextOf(COUNTER);
    expect([context.params, context.state, context.fair?.p]).toEqual([
      { halfSpread: 0.01 },
      { asked: 3 },
      0.5,
    ]);
    expect(COUNTER.quote(context).state).toEqual({ asked: 4 });
  });

  it('is what a test states of it, parameters as a file states them', () => {
    const context = contextOf(COUNTER, {
      params: { halfSpread: '0.02' },
      state: { asked: 9 },
      market: marketOf({ id: 7, tick: 0.001 }),
      event: eventOf({ msToClose: 60_000 }),
    });
    expect(context).toMatchObject({ params: { halfSpread: 0.02 }, market: { id: '7', tick: 0.001 } });
    expect([COUNTER.quote(context).state, context.event.msToClose]).toEqual([{ asked: 10 }, 60_000]);
  });

  it('has no parameters that a file would be refused for', () => {
    const made = () => contextOf(COUNTER, { params: { halfSpraed: 1, halfSpread: 0.5 } });
    expect(made).toThrow(UsageError);
    expect(made).toThrow(/params\.halfSpread: expected .*found 0\.5/);
    expect(made).toThrow(/params\.halfSpraed: expected /);
  });
});
