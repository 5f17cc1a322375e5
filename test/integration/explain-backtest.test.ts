import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { runBacktest } from '../../src/runs/backtest/run-backtest.js';
import { explainOrder } from '../../src/runs/explain/explain.js';
import type { OrderLine } from '../../src/runs/explain/order-story.js';
import { explainRun } from '../../src/cli/commands/explain.js';
import { loadBotSettings } from '../../src/settings/index.js';
import { scratchFolder } from '../support/disk/scratch-folder.js';
import { ROOT } from '../support/project/small-house.js';
import { ran } from '../support/screen/told-command.js';

const CONFIG = join(ROOT, 'config', 'backtest.yaml');
const RAIN = 'recordings/synthetic-rain.ndjson.gz';

/** A backtest in a place of its own, with what it was made of. */
async function kept(overrides: readonly string[] = []) {
  const folder = scratchFolder();
  const [file, recording] = [join(folder, 'backtest.yaml'), join(folder, RAIN)];
  mkdirSync(dirname(recording));
  copyFileSync(CONFIG, file);
  copyFileSync(join(ROOT, 'config', RAIN), recording);
  const { settings, source } = loadBotSettings(file, {}, overrides);
  const out = join(folder, 'runs');
  await runBacktest({ settings, source, out });
  return { run: join(out, readdirSync(out)[0]!), file, recording };
}

async function ordersOf(run: string): Promise<readonly OrderLine[]> {
  const lines: OrderLine[] = [];
  const list = (line: OrderLine): void => void lines.push(line);
  await explainOrder(run, { order: null, scenario: 'expected', list });
  return lines.filter(({ orderId }) => orderId !== null);
}

describe('an order of a backtest', () => {
  it('is explained by running it again', async () => {
    const { run } = await kept();
    const [named] = await ordersOf(run);
    const { story, changed } = await explainOrder(run, {
      order: { kind: 'venue', orderId: named!.orderId! },
      scenario: 'expected',
    });
    expect(changed).toEqual([]);
    const { pricing, setting } = story!.asked!;
    expect(setting).toMatchObject({ instance: 'rain', strategy: 'fixed-spread' });
    expect(pricing!.wanted + pricing!.rounding + pricing!.moved).toBeCloseTo(pricing!.longPrice, 9);
    expect(story!.events.some(({ text }) => text.startsWith('over: '))).toBe(true);
  });

  it('is explained by the configuration that the run kept, whatever became of the file', async () => {
    const { run, file } = await kept(['instances.rain.params.halfSpread=0.03', 'backtest.markets=recorded']);
    const before = await ordersOf(run);
    writeFileSync(file, readFileSync(file, 'utf8').replace('shares: 20', 'shares: 5'));
    expect(await ordersOf(run)).toEqual(before);
    rmSync(file);
    expect(await ordersOf(run)).toEqual(before);
  });

  it('is not explained from a recording that has changed, or by a program that decides otherwise', async () => {
    const { run, recording } = await kept();
    const bytes = readFileSync(recording);
    copyFileSync(recording, `${recording}.whole`);
    writeFileSync(recording, Buffer.concat([bytes, gzipSync('')]));
    await expect(ordersOf(run)).rejects.toThrow(/synthetic-rain.* is not what it was when this ran/);
    copyFileSync(`${recording}.whole`, recording);
    const kind = JSON.parse(readFileSync(join(run, 'run.json'), 'utf8')) as Record<string, unknown>;
    const other = { ...kind, decisions: { count: 1, hash: '0' }, program: '0.0.1' };
    writeFileSync(join(run, 'run.json'), JSON.stringify(other));
    await expect(ordersOf(run)).rejects.toThrow(
      /this program \(\d+\.\d+\.\d+\+[0-9a-f]{12}\) decides otherwise than the one that ran it \(0\.0\.1\)/,
    );
    rmSync(recording);
    await expect(ordersOf(run)).rejects.toThrow(/which this run traded on, is not there any more/);
  });

  it('is listed under a head line', async () => {
    const { run } = await kept();
    const { text } = await ran(() => explainRun(run, undefined, { scenario: 'expected', json: false }));
    const [head, first] = text.split('\n');
    expect(head).toMatch(/^asked for +request +order +/);
    expect(first!.indexOf('  market ')).toBe(head!.indexOf('  what'));
  });
});
