import { expect, it } from 'vitest';
import { marketId } from '../../../../../src/domain/ids.js';
import { AwaitedQuotes } from '../../../../../src/core/engine/quoting/exposure.js';
import { EventQuotes } from '../../../../../src/core/portfolio/event-exposure.js';

const [A, B, C] = [marketId(1), marketId(2), marketId(3)];
const at = (long: number) => ({ long, short: 0 });

it('a market that waits is to be looked at once quotes of its own event step back, and once only', () => {
  const [event, other] = [new EventQuotes([A, B], false), new EventQuotes([C], false)];
  const awaited = new AwaitedQuotes();
  event.quote(A, at(600_000));
  other.quote(C, at(600_000));
  awaited.await(B, event);
  other.quote(C, at(0));
  event.quote(A, at(610_000));
  expect([awaited.areNone, awaited.take()]).toEqual([false, []]);
  event.quote(A, at(500_000));
  expect([awaited.take(), awaited.take(), awaited.areNone]).toEqual([[B], [], true]);
});

it('a market that is planned anew waits for nothing', () => {
  const event = new EventQuotes([A, B], false);
  const awaited = new AwaitedQuotes();
  awaited.forget(B);
  event.quote(A, at(600_000));
  awaited.await(B, event);
  awaited.forget(B);
  event.quote(A, at(0));
  expect([awaited.areNone, awaited.take()]).toEqual([true, []]);
});
