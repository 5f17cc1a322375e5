import type * as FileSystem from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import {
  HeartbeatFile,
  parseHeartbeat,
  readHeartbeatText,
} from '../../../../src/storage/state/heartbeat-file.js';
import { scratchFolder } from '../../../support/disk/scratch-folder.js';

const disk = vi.hoisted(() => ({ isFull: false }));

vi.mock('node:fs', async (original) => {
  const real = await original<typeof FileSystem>();
  return {
    ...real,
    writeSync: (file: number, text: string, position: number) => {
      if (disk.isFull) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
      return real.writeSync(file, text, position);
    },
  };
});

it('a run that cannot begin on a full disk leaves the last word of the one before, which a guard believes', () => {
  const path = join(scratchFolder(), 'heartbeat.json');
  new HeartbeatFile(path, { runId: 'run-1', account: String(7) }).end('clean');
  disk.isFull = true;
  expect(() => new HeartbeatFile(path, { runId: 'run-2', account: String(7) })).toThrow('ENOSPC');
  expect(parseHeartbeat(readHeartbeatText(path) ?? '')).toMatchObject({ runId: 'run-1', ended: 'clean' });
});
