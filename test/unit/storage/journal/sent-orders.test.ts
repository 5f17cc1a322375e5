import { expect, it } from 'vitest';
import { micros } from '../../../../src/domain/units.js';
import type { JournalRecord, SentOrders } from '../../../../src/core/ports/journal.js';
import { seededRandom } from '../../../../src/storage/clocks/seeded-random.js';
import { LastSentOrders } from '../../../../src/storage/journal/open-work.js';
import { replaceRequest } from '../../../support/disk/journal-records.js';

const MINUTE = 60_000_000;
const sending = (at: number, orders = 1): JournalRecord =>
  ({
    ...replaceRequest(at, ...Array.from({ length: orders }, (_, place) => place + 1)),
    at: micros(at),
  }) as JournalRecord;

it('tells at every moment what a list of everything that was ever sent tells', () => {
  const random = seededRandom(1);
  const kept = new LastSentOrders();
  const all: SentOrders[] = [];
  for (let [at, step] = [0, 0]; step < 3_000; step++) {
    at += random.below(10) === 0 ? random.below(MINUTE) : random.below(200_000);
    const ids = Array.from({ length: random.below(4) }, (_, place) => place + 1);
    kept.note({ ...replaceRequest(step, ...ids), at: micros(at) } as JournalRecord);
    if (ids.length > 0) all.push({ at: micros(at), orders: ids.length });
    const newest = all.at(-1)?.at ?? 0;
    expect(kept.sent).toEqual(all.filter((sent) => sent.at > newest - MINUTE));
  }
});

it('takes what a clock dated that was set back since for sent by then at the latest, and forgets it a minute later', () => {
  const kept = new LastSentOrders();
  for (const at of [100, 100.5, 5]) kept.note(sending(at * MINUTE));
  expect(kept.sent.map(({ at }) => at)).toEqual([5 * MINUTE, 5 * MINUTE, 5 * MINUTE]);
  for (let second = 1; second < 3_000; second++) kept.note(sending(5 * MINUTE + second * 1_000_000));
  expect(kept.sent).toHaveLength(60);
});
