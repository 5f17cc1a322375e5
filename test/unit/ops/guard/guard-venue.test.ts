import { expect, it } from 'vitest';
import { pacedTransport } from '../../../../src/ops/guard/guard-venue.js';
import { micros } from '../../../../src/domain/units.js';
import { VirtualClock } from '../../../support/clocks/virtual-clock.js';
import type { HttpRequest, Transport } from '../../../../src/venues/futuur/rest/transport.js';
import { untilSettled } from '../../../support/process/virtual-run.js';

const REQUEST = {} as HttpRequest;
const SECOND = 1_000_000;

/** One request every 90 s. */
function scene() {
  const clock = new VirtualClock(micros(0));
  const stop = new AbortController();
  const sentAt: number[] = [];
  let freeAt = 0;
  const transport: Transport = {
    send: () => {
      sentAt.push(clock.now() / SECOND);
      return Promise.resolve({ kind: 'lost', reason: 'whatever' });
    },
    close: () => Promise.resolve(),
  };
  const budget = {
    take: () => {
      const wait = Math.max(0, freeAt - clock.now());
      if (wait === 0) freeAt = clock.now() + 90 * SECOND;
      return wait;
    },
  };
  return { clock, stop, sentAt, paced: pacedTransport(transport, { budget, clock, signal: stop.signal }) };
}

it('sends one request after the other, as the budget lets it', async () => {
  const { clock, sentAt, paced } = scene();
  await untilSettled(clock, Promise.all([paced.send(REQUEST), paced.send(REQUEST), paced.send(REQUEST)]));
  expect(sentAt).toEqual([0, 90, 180]);
});

it('keeps nobody waiting who has been told to end', async () => {
  const { clock, stop, sentAt, paced } = scene();
  clock.at(micros(10 * SECOND), () => stop.abort());
  const both = await untilSettled(clock, Promise.all([paced.send(REQUEST), paced.send(REQUEST)]));
  expect(both.map(({ kind }) => kind)).toEqual(['lost', 'not-sent']);
  expect([sentAt, clock.now()]).toEqual([[0], 10 * SECOND]);
});
