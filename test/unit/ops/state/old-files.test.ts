import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { oldItems, removeItem } from '../../../../src/ops/state/old-files.js';
import { HeartbeatFile } from '../../../../src/storage/state/heartbeat-file.js';
import { scratchFolder } from '../../../support/disk/scratch-folder.js';

const NOW = Date.UTC(2026, 5, 30);
const DAY = 86_400_000;

/** A folder with one file in it; both were written so many days ago, by their own clocks. */
function made(stateDir: string, path: string, folderDays: number, fileDays: number): void {
  const folder = join(stateDir, path);
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'file');
  writeFileSync(file, 'x'.repeat(100));
  const at = (days: number) => new Date(NOW - days * DAY);
  utimesSync(file, at(fileDays), at(fileDays));
  utimesSync(folder, at(folderDays), at(folderDays));
}

it('finds what nothing was added to for long, and neither accounts nor what a bot writes', () => {
  const stateDir = scratchFolder();
  made(stateDir, 'runs/old', 40, 40);
  made(stateDir, 'runs/new-file', 40, 2);
  made(stateDir, 'runs/20260501-running', 40, 40);
  made(stateDir, 'sweeps/old', 31, 31);
  made(stateDir, 'tapes/old', 90, 90);
  made(stateDir, 'accounts/venue-1/journal', 90, 90);
  writeFileSync(join(stateDir, 'accounts/index.ndjson'), '');
  const beat = new HeartbeatFile(join(stateDir, 'accounts/venue-1/heartbeat.json'), {
    runId: '20260501-running',
    account: '1',
  });
  const old = oldItems(stateDir, ['runs', 'sweeps', 'logs'], NOW - 30 * DAY);
  expect(old.map(({ kind, path, bytes }) => [kind, path, bytes])).toEqual([
    ['runs', join(stateDir, 'runs/old'), 100],
    ['sweeps', join(stateDir, 'sweeps/old'), 100],
  ]);
  expect(oldItems(stateDir, ['tapes'], NOW - 30 * DAY)).toHaveLength(1);
  beat.end('clean');
  removeItem(old[0]!);
  expect(oldItems(stateDir, ['runs'], NOW - 30 * DAY).map(({ path }) => path)).toEqual([
    join(stateDir, 'runs/20260501-running'),
  ]);
});
