import { expect, it } from 'vitest';
import { toldFaults } from '../../../../src/runs/live/connections.js';
import { micros } from '../../../../src/domain/units.js';
import { JournalError } from '../../../../src/core/ports/journal.js';

function scene() {
  const said: string[] = [];
  const time = { now: micros(1_700_000_000_000_000) };
  const quiet = (): void => undefined;
  const logger = { debug: quiet, info: quiet, warn: quiet, error: (text: string) => void said.push(text) };
  return { said, time, met: toldFaults({ now: () => time.now }, logger) };
}

it('says once that a journal takes no record, where, why and what to do, though every request meets it', () => {
  const { said, time, met } = scene();
  for (let request = 0; request < 1_000; request += 1) {
    time.now = micros(time.now + 250_000);
    met(new JournalError('disk-full', '.oddsmith/journal/local: the disk is full'));
  }
  expect(said).toEqual([
    'the journal takes no record: .oddsmith/journal/local: the disk is full. Cancels leave, no order is created; ' +
      'make room: once it takes records again, orders are',
  ]);
});

it('says so again when it comes back, or another fault comes', () => {
  const { said, time, met } = scene();
  met(new JournalError('disk-full', 'a'));
  met(new JournalError('sync-failed', 'b'));
  time.now = micros(time.now + 60_000_000);
  met(new JournalError('sync-failed', 'b'));
  expect(said.map((text) => text.slice(0, 31))).toEqual([
    'the journal takes no record: a.',
    'the journal takes no record: b.',
    'the journal takes no record: b.',
  ]);
});

it('says every other fault', () => {
  const { said, met } = scene();
  met(new TypeError('x'));
  met(new TypeError('x'));
  expect(said).toEqual(['a request met a fault', 'a request met a fault']);
});
