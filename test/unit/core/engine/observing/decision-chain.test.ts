import { describe, expect, test } from 'vitest';
import type { SendEffect } from '../../../../../src/domain/effects.js';
import type { Micros } from '../../../../../src/domain/units.js';
import { DecisionChain } from '../../../../../src/core/engine/observing/decision-chain.js';

const read = (requestId: number): SendEffect => ({
  kind: 'send',
  requestId,
  deadline: 5 as Micros,
  request: { kind: 'read-orders' },
});

describe('the chain of decisions', () => {
  test('a line has fixed keys in fixed order and ends in the hash before it', () => {
    const lines: string[] = [];
    const chain = new DecisionChain((line) => void lines.push(line));
    const start = chain.hash;
    chain.append(7, [read(1), read(2)]);
    const [first, second] = lines;
    expect(first).toBe(
      `{"in":7,"n":0,"kind":"read-orders","requestId":1,"deadline":5,"request":{"kind":"read-orders"},"prev":"${start}"}`,
    );
    const { prev } = JSON.parse(second!) as { prev: string };
    const alone = new DecisionChain();
    alone.append(7, [read(1)]);
    expect(prev).toBe(alone.hash);
  });

  test('any other decision, and any other order of them, ends in another hash', () => {
    const hashOf = (...ids: number[]): string => {
      const chain = new DecisionChain();
      for (const id of ids) chain.append(1, [read(id)]);
      return chain.hash;
    };
    expect(new Set([hashOf(1, 2), hashOf(2, 1), hashOf(1), hashOf(1, 2, 3)]).size).toBe(4);
    expect(hashOf(1, 2)).toBe(hashOf(1, 2));
  });

  test('an order is the same decision whatever the order of its keys', () => {
    const order = {
      eventId: '1',
      marketId: '2',
      side: 'bid',
      position: 'long',
      currency: 'OOM',
      price: 1,
      shares: 2,
      expiresAt: null,
    };
    const hashOf = (orders: readonly object[]): string => {
      const chain = new DecisionChain();
      chain.append(1, [{ ...read(1), request: { kind: 'create-orders', orders } } as unknown as SendEffect]);
      return chain.hash;
    };
    expect(hashOf([Object.fromEntries(Object.entries(order).toReversed())])).toBe(hashOf([order]));
  });
});
