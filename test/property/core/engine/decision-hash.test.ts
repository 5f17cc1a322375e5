import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { SendEffect } from '../../../../src/domain/effects.js';
import type { Said } from '../../../../src/domain/orders.js';
import { CURRENCIES, POSITIONS, SIDES } from '../../../../src/domain/vocabulary.js';
import { DecisionChain } from '../../../../src/core/engine/observing/decision-chain.js';

const count = fc.oneof(
  fc.nat(20_000),
  fc.maxSafeNat(),
  fc.constantFrom(0, 999_999_999, 1_000_000_000, 1_000_000_001, Number.MAX_SAFE_INTEGER),
);
const place = fc.record({
  eventId: count,
  marketId: count,
  side: fc.constantFrom(...SIDES),
  position: fc.constantFrom(...POSITIONS),
  currency: fc.constantFrom(...CURRENCIES),
});
const terms = fc.record({
  price: count,
  shares: fc.oneof(count, fc.constantFrom(-1, 0.5, 1e21)),
  expiresAt: fc.option(count),
});

/** Records of fast-check state their keys in any order; requests do not. */
const ordered = ({ eventId, marketId, side, position, currency }: Record<string, unknown>) => ({
  eventId,
  marketId,
  side,
  position,
  currency,
});
const order = fc
  .tuple(place, terms)
  .map(([of, { price, shares, expiresAt }]) => ({ ...ordered(of), price, shares, expiresAt }));
const said = fc.constantFrom<Said>('price', 'price-and-shares', 'price-and-expiry', 'all');
const replacement = fc
  .tuple(count, place, terms, said)
  .map(([orderId, of, { price, shares, expiresAt }, says]) => ({
    orderId,
    place: ordered(of),
    price,
    shares,
    expiresAt,
    says,
  }));
const request = fc.oneof(
  fc.array(order, { maxLength: 4 }).map((orders) => ({ kind: 'create-orders', orders })),
  fc.array(replacement, { maxLength: 4 }).map((replacements) => ({ kind: 'replace-orders', replacements })),
  fc.array(count, { maxLength: 4 }).map((orderIds) => ({ kind: 'cancel-orders', orderIds })),
  count.map((eventId) => ({ kind: 'cancel-scope', scope: { kind: 'event', eventId } })),
  fc.constantFrom({ kind: 'read-orders' }, { kind: 'read-book', marketId: 3, mode: 'play_money' }),
);
const send = fc
  .tuple(count, request, count)
  .map(([requestId, of, deadline]) => ({ kind: 'send', requestId, request: of, deadline }) as SendEffect);
const run = fc.array(fc.tuple(count, fc.array(send, { maxLength: 3 })), { maxLength: 6 });

/** As the chain is defined: every character of every line in turn. */
function hashOf(lines: readonly string[]): string {
  let [high, low] = [0x811c9dc5, 0x9747b28c];
  for (const line of lines) {
    for (const character of line) {
      const code = character.charCodeAt(0);
      high = Math.imul(high ^ code, 0x01000193) >>> 0;
      low = (Math.imul(low ^ code, 0x5bd1e995) + (low >>> 13)) >>> 0;
    }
    low = (low ^ high) >>> 0;
  }
  return [high, low].map((word) => word.toString(16).padStart(8, '0')).join('');
}

/** What of an order is said follows from what stood there, and is no decision. */
const lineOf = (seq: number, index: number, { requestId, request: of, deadline }: SendEffect): string =>
  JSON.stringify(
    { in: seq, n: index, kind: of.kind, requestId, deadline, request: of },
    (name, value: unknown) => (name === 'says' ? undefined : value),
  );

it('what is hashed in pieces is hashed as the lines are', () => {
  fc.assert(
    fc.property(run, (inputs) => {
      const quiet = new DecisionChain();
      const told: string[] = [];
      const telling = new DecisionChain((line) => void told.push(line));
      for (const [seq, sends] of inputs) {
        quiet.append(seq, sends);
        telling.append(seq, sends);
      }
      const lines = inputs.flatMap(([seq, sends]) => sends.map((effect, at) => lineOf(seq, at, effect)));
      expect(told.map((line) => line.replace(/,"prev":"\w{16}"\}$/, '}'))).toEqual(lines);
      expect(quiet.hash).toBe(hashOf(lines));
      expect(telling.hash).toBe(quiet.hash);
    }),
  );
});
