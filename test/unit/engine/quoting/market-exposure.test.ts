import { expect, it } from 'vitest';
import { eventId, marketId } from '../../../../src/domain/ids.js';
import type { EngineParts } from '../../../../src/engine/parts.js';
import type { Exposure } from '../../../../src/engine/quoting/exposure.js';
import { MarketExposure } from '../../../../src/engine/quoting/market-exposure.js';

const MARKET = marketId(11);

it('limits go by the worse of what fills say and what the venue says, whichever way orders lead', () => {
  const positions = {
    netAtLeast: () => -1_153,
    netAtMost: () => -600,
    worstFee: () => 0,
    exposureOf: () => ({}),
  };
  const terms = new Map([[MARKET, { eventId: eventId(1), tickUnits: 100, takerFee: 0, makerFee: 0 }]]);
  const parts = { positions, terms, quoted: new Map() } as unknown as EngineParts;
  const run = {
    mayFill: () => ({ bid: 100, ask: 50 }),
    promised: { in: () => ({ bid: 7, ask: 3 }) },
  } as unknown as Exposure;
  expect(new MarketExposure(parts, run, MARKET).netRange()).toEqual({
    low: -1_153 - 50 - 3,
    high: -600 + 100 + 7,
  });
});
