import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { eventId, marketId } from '../../../../src/domain/ids.js';
import { keepSelection } from '../../../../src/ops/state/selection-file.js';
import { loadKeylessSettings, NOTHING_CHOSEN } from '../../../../src/settings/index.js';
import { scratchFolder } from '../../../support/disk/scratch-folder.js';
import { guardedMarkets, pacedTransport } from '../../../../src/ops/guard/guard-venue.js';
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

const FILE = (markets: string, others = ''): string => `venue:
  baseUrl: https://venue.example
  realtime: { key: k, cluster: us2 }
  publicKey: pk
  privateKey: \${PRIVATE}
events:
  - { id: 1, markets: [${markets}] }
instances:
  - { name: a, strategy: fixed-spread${others} }
`;

it('knows the markets that joined since it read the file, also by selection, and those that left', () => {
  const folder = scratchFolder();
  const file = join(folder, 'bot.yaml');
  writeFileSync(file, FILE('{ id: 11 }, { id: 12 }', ', markets: [11], select: { max: 5 }'));
  const { settings } = loadKeylessSettings(file, process.env);
  const paths = { selection: join(folder, 'selection.json') };
  const known = (): readonly string[] =>
    guardedMarkets(settings, file, paths).map(({ marketId: id, ownership }) => `${id} ${ownership}`);
  expect(known()).toEqual(['11 exclusive', '12 exclusive']);
  writeFileSync(file, FILE('{ id: 11 }, { id: 13, ownership: shared }'));
  expect(known()).toEqual(['11 exclusive', '13 shared', '12 exclusive']);
  const whole = [{ eventId: eventId(2), marketId: marketId(21) }];
  keepSelection(paths, { ...NOTHING_CHOSEN, whole });
  expect(known()).toContain('21 exclusive');
  writeFileSync(file, 'venue: [');
  expect(known()).toEqual(['11 exclusive', '12 exclusive', '21 exclusive']);
});
