import type * as FileSystem from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { WindowFile } from '../../../../src/ops/state/window-file.js';
import { eventId, marketId } from '../../../../src/domain/ids.js';
import { micros, money, shares } from '../../../../src/domain/units.js';
import { scratchFolder } from '../../../support/disk/scratch-folder.js';
import { SILENT } from '../../../support/process/silent-logger.js';

const disk = vi.hoisted(() => ({ isFull: false }));

vi.mock('node:fs', async (original) => {
  const real = await original<typeof FileSystem>();
  return {
    ...real,
    // The last room on a disk takes a part of the line, and says nothing.
    writeSync(file: number, text: Buffer | string, offset?: number) {
      const bytes = Buffer.from(text).subarray(offset);
      return real.writeSync(file, bytes, 0, disk.isFull ? Math.ceil(bytes.length / 2) : bytes.length);
    },
  };
});

it('every fill that guards count is found again though the disk takes lines in parts', () => {
  const path = join(scratchFolder(), 'windows.ndjson');
  const open = () => {
    const clock = { now: () => micros(1_000) };
    return new WindowFile({ path, logger: SILENT, clock, keepMs: 60_000 });
  };
  const file = open();
  file.review();
  for (const at of [1, 2, 3]) {
    disk.isFull = at === 2;
    const fill = { eventId: eventId(873), marketId: marketId(2231), side: 'bid', position: 'long' } as const;
    const size = { shares: shares(100), amount: money(500_000) };
    file.counted({ kind: 'fill', fill: { at: micros(at), ...fill, ...size } });
  }
  expect(open().found.fills.map(({ at }) => at)).toEqual([1, 2, 3]);
});
