import { describe, expect, it } from 'vitest';
import type { SendEffect } from '../../../../src/domain/effects.js';
import { InvariantError } from '../../../../src/domain/errors.js';
import { marketId } from '../../../../src/domain/ids.js';
import { micros } from '../../../../src/domain/units.js';
import { Outbox } from '../../../../src/core/engine/outbox.js';
import type { EngineParts } from '../../../../src/core/engine/parts.js';

const MARKET = marketId(1);
const NOW = micros(5);

const updateOf = (requestId: number, side: 'bid' | 'ask'): SendEffect =>
  ({
    requestId,
    request: {
      kind: 'replace-orders',
      replacements: [{ place: { marketId: MARKET, side, position: 'long' }, price: 5_000, shares: 100 }],
    },
  }) as unknown as SendEffect;

/** An outbox, and what became of its requests, one word each. */
function opened(sent: () => void = () => undefined): { readonly outbox: Outbox; readonly said: string[] } {
  const said: string[] = [];
  const market = {
    halt: null,
    touch: { bid: 4_900, ask: 5_100 },
    fair: { p: 0.5 },
    mid: 0.5,
    owner: { limits: { priceCollar: 500 } },
  };
  const note = (word: string) => (): void => void said.push(word);
  const parts = {
    quoted: new Map([[MARKET, market]]),
    terms: new Map([[MARKET, { tickUnits: 10 }]]),
    funds: { areOversold: () => false },
    desk: {
      scheduler: { isSilenced: () => false },
      orders: { replacedBy: () => [{ marketId: MARKET, side: 'ask', position: 'long', remaining: 100 }] },
      sent: () => {
        sent();
        said.push('under way');
      },
    },
    life: { phase: 'running' },
    killSwitch: { state: null },
    cashUnderWay: { covers: () => true, decided: note('covered') },
    mirror: { issued: note('issued') },
    tally: { sent: note('counted') },
    observer: null,
  } as unknown as EngineParts;
  const quoters = { left: note('left') };
  return { outbox: new Outbox(parts, quoters, { append: note('in the chain') }), said };
}

const WRITTEN = ['under way', 'issued', 'left', 'counted', 'covered', 'in the chain'];

describe('what is on its way out', () => {
  it('is written down before its last word, and once', () => {
    const { outbox, said } = opened();
    const leave = (effect: SendEffect): void => {
      expect(outbox.objectionTo(effect, NOW)).toBeNull();
      said.push('bytes');
    };
    outbox.send([updateOf(1, 'ask')], { seq: 1, now: NOW, leave });
    expect(said).toEqual([...WRITTEN, 'bytes']);
  });

  it('is written down before the last word on a request that was decided earlier', () => {
    const { outbox, said } = opened();
    const earlier = updateOf(1, 'bid');
    const leave = (): void => void said.push(String(outbox.objectionTo(earlier, NOW)));
    outbox.send([updateOf(2, 'bid')], { seq: 2, now: NOW, leave });
    expect(said).toEqual([...WRITTEN, 'null']);
  });

  it('is written down when handing it over breaks', () => {
    const { outbox, said } = opened();
    const leave = (): never => {
      throw new InvariantError('no such request');
    };
    const send = (): void => outbox.send([updateOf(1, 'bid')], { seq: 1, now: NOW, leave });
    expect(send).toThrow('no such request');
    expect(said).toEqual(WRITTEN);
  });

  it('breaks the step, too, when it breaks a last word', () => {
    const { outbox } = opened(() => {
      throw new InvariantError('no such order');
    });
    const leave = (effect: SendEffect): void => {
      expect(() => outbox.objectionTo(effect, NOW)).toThrow('no such order');
    };
    const send = (): void => outbox.send([updateOf(1, 'ask')], { seq: 1, now: NOW, leave });
    expect(send).toThrow('no such order');
  });

  it('waits for nothing where nobody lets it leave', () => {
    const { outbox, said } = opened();
    outbox.send([updateOf(1, 'bid')], { seq: 1, now: NOW, leave: null });
    expect(said).toEqual(WRITTEN);
  });
});
