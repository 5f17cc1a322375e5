import { describe, expect, it } from 'vitest';
import { readinessOf } from '../../../../src/ops/http/listener.js';
import { marketId } from '../../../../src/domain/ids.js';
import type { EngineView } from '../../../../src/core/engine/observing/view.js';
import { engineView, marketView } from '../../../support/bot/engine-view.js';

const book = (freshness: string) => ({
  freshness,
  reason: 'why',
  ageMs: null,
  readAgeMs: null,
  bid: null,
  ask: null,
});

describe('readiness', () => {
  it('is given when the engine runs, is connected and has every book', () => {
    expect(readinessOf(engineView())).toEqual({ ready: true, reasons: [] });
  });

  const obstacles: [reason: string, view: EngineView | null][] = [
    ['the engine has not started', null],
    ['the engine is stopping', engineView({ phase: 'stopping' })],
    ['the connection is lost: closed', engineView({ connection: { state: 'lost', reason: 'closed' } })],
    ['the kill switch is latched: loss', engineView({ killed: 'loss' })],
    ['instance demo: threw', engineView({ instances: [{ name: 'demo', strategy: 'x', fault: 'threw' }] })],
    [
      'the book of market 2231 is resyncing: why',
      engineView({ markets: [marketView({ book: book('resyncing') })] }),
    ],
    [
      'market 2231 is not quoted: signal-expired-news',
      engineView({ markets: [marketView({ halted: 'signal-expired-news' })] }),
    ],
  ];
  it.each(obstacles)('is refused: %s', (reason, view) => {
    expect(readinessOf(view)).toEqual({ ready: false, reasons: [reason] });
  });

  it('is refused in one sentence for all markets in one state, of which a few are named', () => {
    const markets = Array.from({ length: 200 }, (_, at) =>
      marketView({ marketId: marketId(1_000 + at), book: book(at < 2 ? 'stale' : 'resyncing') }),
    );
    expect(readinessOf(engineView({ markets })).reasons).toEqual([
      'the books of 2 markets (1000, 1001) are stale: why',
      'the books of 198 markets (1002, 1003, 1004, … and 195 more) are resyncing: why',
    ]);
  });

  it('names what fails beside other reasons, and by itself when it fails often', () => {
    const failing = [{ times: 1, text: 'the read of balances failed' }];
    const markets = [marketView({ book: book('resyncing') })];
    expect(readinessOf(engineView({ failing })).ready).toBe(true);
    expect(readinessOf(engineView({ failing, markets })).reasons).toEqual([
      'the read of balances failed',
      'the book of market 2231 is resyncing: why',
    ]);
    const often = [{ times: 3, text: 'the creation of 4 orders failed' }];
    expect(readinessOf(engineView({ failing: often })).reasons).toEqual(['the creation of 4 orders failed']);
  });

  it.each([
    ['a market that is only observed', marketView({ instance: null, book: book('stale') })],
    ['a market that is closed', marketView({ tradability: 'closed', book: book('stale') })],
    ['a book with a hidden side', marketView({ book: book('hidden') })],
  ])('does not depend on %s', (_what, market) => {
    expect(readinessOf(engineView({ markets: [market] })).ready).toBe(true);
  });
});
