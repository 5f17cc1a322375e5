/** The export to hftbacktest, read back byte by byte. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { expect, it } from 'vitest';
import { exportHftbacktest } from '../../../src/recordings/hftbacktest.js';
import { scratchFolder } from '../../support/disk/scratch-folder.js';
import { BEGIN, linesOfMarket, recordingOf } from '../../support/tape/neutral-lines.js';

const { book, trade } = linesOfMarket(3001);
const FLAGS = 2 ** 31 + 2 ** 30;
const [BUY, SELL] = [2 ** 29, 2 ** 28];

it('becomes a snapshot, changes of levels and trades with both times', async () => {
  const file = recordingOf([
    book(0, [[0.5, 10]], [[0.6, 20]]),
    trade(1_000, 0.6, 5, 'bid'),
    book(1_000, [[0.51, 1]], [[0.6, 15]]),
  ]);
  const [exported] = await exportHftbacktest(file, scratchFolder(), 20);
  const npy = Buffer.from(unzipSync(readFileSync(exported!.file))['data.npy']!);
  expect(npy.toString('latin1', 1, 6)).toBe('NUMPY');
  const data = 10 + npy.readUInt16LE(8);
  expect(data % 64).toBe(0);
  expect(npy.toString('latin1', 10, data)).toContain("'shape': (6,)");
  const events = Array.from({ length: exported!.events }, (_, at) => {
    const place = data + 64 * at;
    const [exchange, local] = [npy.readBigInt64LE(place + 8), npy.readBigInt64LE(place + 16)];
    expect(local - exchange).toBe(20_000_000n);
    return [
      Number(npy.readBigUInt64LE(place)) - FLAGS,
      Number(exchange / 1_000_000n) - BEGIN,
      npy.readDoubleLE(place + 24),
      npy.readDoubleLE(place + 32),
    ];
  });
  expect(npy.length).toBe(data + 64 * events.length);
  expect(events).toEqual([
    [4 + BUY, 0, 0.5, 10],
    [4 + SELL, 0, 0.6, 20],
    [2 + BUY, 1_000, 0.6, 5],
    [1 + BUY, 1_000, 0.5, 0],
    [1 + BUY, 1_000, 0.51, 1],
    [1 + SELL, 1_000, 0.6, 15],
  ]);
  expect(exported!.file).toBe(join(exported!.file, '..', 'recording-3001.npz'));
});
