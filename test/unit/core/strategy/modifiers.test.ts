import { contextOf } from 'oddsmith/sdk/testing';
import { describe, expect, it } from 'vitest';
import type { PlainJson, Strategy } from '../../../../src/core/strategy/contract.js';
import {
  type AnyModifier,
  defineModifier,
  type ModifierUse,
  movedAway,
  shrunk,
  withModifiers,
} from '../../../../src/core/strategy/modifiers.js';
import { param } from '../../../../src/core/strategy/parameters.js';
import { defineStrategy, quoteAt } from '../../../../src/core/strategy/quoting.js';

const strategy = defineStrategy({
  name: 'two-levels',
  params: {},
  initialState: { calls: 0 },
  quote: ({ state }) => ({
    bids: [quoteAt(0.48, 10, { fair: 0.5, half: -0.02 }), quoteAt(0.47, 10, { fair: 0.5, half: -0.03 })],
    asks: [quoteAt(0.52, 10, { fair: 0.5, half: 0.02 })],
    state: { calls: state.calls + 1 },
  }),
});
const wider = defineModifier({
  name: 'wider',
  params: { by: param.probability({ default: 0.01, help: 'distance' }) },
  initialState: { seen: 0 },
  apply: ({ bids, asks }, { params, state }) => ({
    bids: movedAway(bids, 'bid', params.by),
    asks: movedAway(asks, 'ask', params.by),
    state: { seen: state.seen + 1 },
    wakeInMs: 500,
  }),
});
const smaller = defineModifier({
  name: 'smaller',
  params: {},
  apply: ({ bids, asks }) => ({ bids: shrunk(bids, 0.5), asks }),
});
const use = (modifier: unknown, parameters: Readonly<Record<string, unknown>> = {}): ModifierUse => ({
  modifier: modifier as AnyModifier,
  parameters,
});
const both = [use(wider, { by: 0.01 }), use(smaller)];

function quote(uses: readonly ModifierUse[], state?: PlainJson) {
  const modified = withModifiers(strategy as unknown as Strategy, uses);
  if (!('quote' in modified) || modified.scope === 'event') throw new Error('it is no function');
  return modified.quote(contextOf(modified, state === undefined ? {} : { state }));
}

describe('modifiers', () => {
  it('change a ladder in order, and say so in its reasons', () => {
    const { bids, asks, wakeInMs } = quote(both);
    expect(bids.map(({ price, shares }) => [price.toFixed(2), shares])).toEqual([
      ['0.47', 5],
      ['0.46', 5],
    ]);
    expect(bids[0]!.reason.map(({ label, value }) => [label, Number(value.toFixed(6)) + 0])).toEqual([
      ['fair', 0.5],
      ['half', -0.02],
      ['wider', -0.01],
      ['smaller', 0],
    ]);
    expect(asks[0]!.reason.map(({ label }) => label)).toEqual(['fair', 'half', 'wider']);
    expect(wakeInMs).toBe(500);
  });

  it('remember apart from the strategy and from each other', () => {
    const first = quote(both);
    expect(first.state).toEqual({ strategy: { calls: 1 }, modifiers: [{ seen: 1 }, null] });
    const second = quote(both, first.state);
    expect(second.state).toEqual({ strategy: { calls: 2 }, modifiers: [{ seen: 2 }, null] });
  });

  it.each([
    ['moves a quote towards the middle', () => ({ bids: [quoteAt(0.49, 10, { x: 0.49 })], asks: [] })],
    ['adds shares', () => ({ bids: [], asks: [quoteAt(0.52, 11, { x: 0.52 })] })],
    ['moves a far level to the near one', () => ({ bids: [quoteAt(0.48, 20, { x: 0.48 })], asks: [] })],
  ])('stop the strategy when one %s, unless it may improve', (_, apply) => {
    const bold = defineModifier({ name: 'bold', params: {}, apply });
    expect(() => quote([use(bold)])).toThrow('modifier bold made');
    expect(() => quote([use({ ...bold, mayImprove: true })])).not.toThrow();
  });

  it('may join levels further away', () => {
    const joined = defineModifier({
      name: 'joined',
      params: {},
      apply: ({ asks }) => ({ bids: [quoteAt(0.47, 20, { x: 0.47 })], asks }),
    });
    expect(() => quote([use(joined)])).not.toThrow();
  });
});
