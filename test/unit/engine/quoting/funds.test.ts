import { describe, expect, it } from 'vitest';
import { Funds } from '../../../../src/engine/quoting/funds.js';
import { marketId } from '../../../../src/domain/ids.js';

const MARKET = marketId(11);
const ask = (remaining: number, successor: object | null = null) => ({
  side: 'ask',
  position: 'long',
  remaining,
  successor,
});

/** Funds of an account that holds 1,000 long shares, with these working orders. */
const fundsWith = (working: readonly object[]): Funds =>
  new Funds({
    positions: { held: () => 1_000 },
    desk: { orders: { own: () => ({ working }), watch: () => new Set() } },
  } as unknown as ConstructorParameters<typeof Funds>[0]);

describe('shares that are to be sold', () => {
  it.each([
    ['as many as are held', [ask(400), ask(600)], false],
    ['more than are held', [ask(400), ask(601)], true],
    ['of the other position', [ask(1_000), { ...ask(600), position: 'short' }], false],
    ['bought, not sold', [ask(1_000), { ...ask(600), side: 'bid' }], false],
    ['in the place of an order that an update replaces', [ask(1_000, {}), ask(1_000)], false],
  ])('%s', (_what, working, isTooMuch) => {
    expect(fundsWith(working).areOversold(MARKET, 'long')).toBe(isTooMuch);
  });
});
