import { describe, expect, it } from 'vitest';
import { micros } from '../../../../src/domain/units.js';
import type { Alert } from '../../../../src/ops/alerts/alert.js';
import { Delivery } from '../../../../src/ops/alerts/delivery.js';
import type { Outcome } from '../../../../src/ops/alerts/receivers.js';
import { VirtualClock } from '../../../support/clocks/virtual-clock.js';

const FAILED: Outcome = { kind: 'failed', reason: 'ECONNREFUSED', afterMs: 0 };
const SENT: Outcome = { kind: 'sent' };

const alertOf = (title: string): Alert => ({
  rule: 'kill',
  state: 'firing',
  severity: 'critical',
  title,
  text: '',
  at: '2026-01-01T00:00:00.000Z',
  runId: 'r1',
  venue: 'futuur',
  mode: 'live',
});

/** Promises that are settled already run their followers. */
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
};

/** A receiver that answers with these in turn, the last one for ever. */
function delivery(...outcomes: readonly Outcome[]) {
  const clock = new VirtualClock(micros(0));
  const got: string[] = [];
  const log: string[] = [];
  let turn = 0;
  const note = (text: string): void => void log.push(text);
  const subject = new Delivery({
    name: 'phone',
    clock,
    logger: { warn: note, info: note },
    send: ({ title }) => {
      got.push(`${clock.now() / 1_000} ${title}`);
      const outcome = outcomes[Math.min(turn, outcomes.length - 1)] ?? SENT;
      turn += 1;
      return Promise.resolve(outcome);
    },
  });
  const pass = async (ms: number): Promise<void> => {
    const end = clock.now() + ms * 1_000;
    while ((clock.nextAt ?? Infinity) <= end) {
      clock.advanceTo(clock.nextAt!);
      await settled();
    }
    clock.advanceTo(micros(end));
  };
  return { subject, got, log, pass };
}

describe('the delivery of alerts', () => {
  it('sends again after pauses that double up to a minute, and in order', async () => {
    const { subject, got, log, pass } = delivery(...Array.from({ length: 8 }, () => FAILED), SENT);
    subject.push(alertOf('a'));
    subject.push(alertOf('b'));
    await settled();
    await pass(300_000);
    expect(got.map((one) => Number(one.split(' ')[0]) / 1_000)).toEqual([
      0, 1, 3, 7, 15, 31, 63, 123, 183, 183,
    ]);
    expect(got.at(-1)).toMatch(/b$/);
    expect(subject.figures).toEqual({ receiver: 'phone', sent: 2, failed: 8, leftOut: 0 });
    expect(log).toEqual([
      'alerts to phone fail (ECONNREFUSED); they are sent again later',
      'alerts to phone are delivered again',
    ]);
  });

  it('waits as long as the receiver asks for', async () => {
    const { subject, got, pass } = delivery({ ...FAILED, afterMs: 20_000 }, SENT);
    subject.push(alertOf('a'));
    await settled();
    await pass(60_000);
    expect(got).toEqual(['0 a', '20000 a']);
  });

  it('leaves out what is refused, and goes on', async () => {
    const { subject, got, log } = delivery({ kind: 'refused', reason: 'HTTP status 404' }, SENT);
    subject.push(alertOf('a'));
    subject.push(alertOf('b'));
    await settled();
    expect(got).toEqual(['0 a', '0 b']);
    expect(log).toEqual(['alerts to phone fail (HTTP status 404); the alert "a" is left out']);
    expect(subject.figures).toMatchObject({ sent: 1, leftOut: 1 });
  });

  it('keeps a hundred at most, the newest, and gives an alert up in the end', async () => {
    const { subject, log, pass } = delivery(FAILED);
    for (let at = 0; at < 150; at += 1) subject.push(alertOf(`${at}`));
    await settled();
    expect(subject.figures.leftOut).toBe(50);
    await pass(3_600_000);
    expect(subject.figures.leftOut).toBe(51);
    expect(log.at(-1)).toMatch(/the alert "0" is left out$|sent again later$/);
  });

  it('ends at once, whatever waits', async () => {
    const { subject, got, pass } = delivery(FAILED);
    subject.push(alertOf('a'));
    await settled();
    subject.close();
    subject.push(alertOf('b'));
    await pass(60_000);
    expect(got).toEqual(['0 a']);
    expect(subject.figures.leftOut).toBe(1);
    await subject.idle();
  });
});
