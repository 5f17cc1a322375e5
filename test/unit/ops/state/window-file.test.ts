import { appendFileSync, existsSync, mkdirSync, readFileSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { forgetWindows, WindowFile } from '../../../../src/ops/state/window-file.js';
import { eventId, marketId, orderId } from '../../../../src/domain/ids.js';
import { micros, money, shares } from '../../../../src/domain/units.js';
import type { WindowNews } from '../../../../src/core/risk/index.js';
import { scratchFolder } from '../../../support/disk/scratch-folder.js';

const MINUTE = 60_000_000;
const fill = (at: number): Extract<WindowNews, { kind: 'fill' }> => ({
  kind: 'fill',
  fill: {
    at: micros(at),
    eventId: eventId(873),
    marketId: marketId(2231),
    side: 'bid',
    position: 'long',
    shares: shares(1_000),
    amount: money(5_000_000),
  },
});
const judged = (through: number): Extract<WindowNews, { kind: 'mark-out' }> => ({
  kind: 'mark-out',
  count: { marketId: marketId(2231), through: micros(through), fills: 3, shares: 700, gained: -12.5 },
});

function scene() {
  const path = join(scratchFolder(), 'control', 'windows.ndjson');
  const said: string[] = [];
  const time = { now: micros(10 * MINUTE) };
  const say = (text: string): void => void said.push(text);
  const logger = { debug: say, info: say, warn: say, error: say };
  const open = () => new WindowFile({ path, logger, clock: { now: () => time.now }, keepMs: 60_000 });
  return { path, said, time, open };
}

describe('what guards count', () => {
  it('is found again by the next run, with nothing said about its end', () => {
    const { path, said, open } = scene();
    const file = open();
    file.review();
    for (const news of [fill(9.5 * MINUTE), fill(9.6 * MINUTE), judged(9.5 * MINUTE)]) file.counted(news);
    appendFileSync(path, '{"kind":"fill","fill":{"at":5');
    expect(open().found).toEqual({
      fills: [fill(9.5 * MINUTE).fill, fill(9.6 * MINUTE).fill],
      markOuts: [judged(9.5 * MINUTE).count],
    });
    expect(said).toEqual([]);
    const again = open();
    again.counted(fill(9.7 * MINUTE));
    expect(open().found.fills).toHaveLength(3);
  });

  it('is found again with the order of a fill, whose price may still be told better', () => {
    const { open } = scene();
    const counted = { ...fill(9.5 * MINUTE).fill, orderId: orderId(77), fills: 3 };
    open().counted({ kind: 'fill', fill: counted });
    expect(open().found.fills).toEqual([counted]);
  });

  it('is nothing where no run was, or one that did not write it down', () => {
    expect(scene().open().found).toEqual({ fills: [], markOuts: [] });
  });

  it('counts no more once it is too old', () => {
    const { time, open } = scene();
    open().counted(fill(9.5 * MINUTE));
    time.now = micros(10.6 * MINUTE);
    expect(open().found.fills).toEqual([]);
  });

  it('counts from now on, in the same order, where the clock was set back since', () => {
    const { path, time, open } = scene();
    const file = open();
    file.review();
    for (const news of [fill(9.5 * MINUTE), fill(70 * MINUTE), judged(70 * MINUTE), fill(70.5 * MINUTE)])
      file.counted(news);
    file.close();
    const found = {
      fills: [fill(9.5 * MINUTE).fill, fill(9.5 * MINUTE).fill, fill(10 * MINUTE).fill],
      markOuts: [judged(9.5 * MINUTE).count],
    };
    expect(open().found).toEqual(found);
    open().review();
    expect(readFileSync(path, 'utf8')).not.toContain(String(70.5 * MINUTE));
    time.now = micros(11 * MINUTE);
    expect(open().found.fills).toEqual([]);
  });

  it('is known but for a line that was damaged, which is said', () => {
    const { path, said, open } = scene();
    const file = open();
    file.review();
    file.counted(fill(9.5 * MINUTE));
    appendFileSync(path, '{"kind":"fill"}\n');
    file.counted(fill(9.6 * MINUTE));
    expect(open().found.fills).toHaveLength(2);
    expect(said).toEqual(['lines of what the guards counted cannot be read: fills in them count no more']);
  });

  it('is forgotten when a person resumed, be it while no bot runs or while one does', () => {
    const { path, open } = scene();
    const file = open();
    file.counted(fill(9.5 * MINUTE));
    file.counted({ kind: 'forgotten' });
    expect(open().found.fills).toEqual([]);
    file.counted(fill(9.6 * MINUTE));
    file.close();
    forgetWindows(path);
    expect(open().found.fills).toEqual([]);
  });

  it('stands there again when somebody removed the file of a bot that runs', () => {
    const { path, open } = scene();
    const file = open();
    file.counted(fill(9.5 * MINUTE));
    rmSync(path);
    file.review();
    expect(open().found.fills).toHaveLength(1);
  });

  it('stays bounded, and its file with it', () => {
    const { path, time, open } = scene();
    const file = open();
    file.review();
    for (let second = 0; second < 20_000; second += 1) {
      time.now = micros((600 + second) * 1_000_000);
      file.counted(fill(time.now));
      if (second % 100 === 0) file.review();
    }
    expect(statSync(path).size).toBeLessThan(1_100_000);
    expect(open().found.fills).toHaveLength(60);
  });

  it('is written once the disk takes it, and until then is said once', () => {
    const { path, said, open } = scene();
    const file = open();
    mkdirSync(`${path}.new`, { recursive: true });
    file.counted(fill(9.5 * MINUTE));
    file.counted(fill(9.6 * MINUTE));
    expect([existsSync(path), said]).toEqual([
      false,
      ['what the guards count cannot be written down; a restart would forget it'],
    ]);
    rmdirSync(`${path}.new`);
    file.review();
    expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(3);
    expect(statSync(path).mode & 0o077).toBe(0);
  });
});
