import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runBacktest } from '../../src/app/backtest/run-backtest.js';
import { explainOrder } from '../../src/app/explain/explain.js';
import type { OrderLine } from '../../src/app/explain/order-story.js';
import { loadBotSettings } from '../../src/settings/index.js';
import { scratchFolder } from '../support/scratch-folder.js';
import { ROOT } from '../support/small-house.js';

it('an order of a backtest is explained by running it again', async () => {
  const out = scratchFolder();
  const { settings, source } = loadBotSettings(join(ROOT, 'config/backtest.yaml'), {});
  await runBacktest({ settings, source, out });
  const folder = join(out, readdirSync(out)[0]!);
  const lines: OrderLine[] = [];
  const list = (line: OrderLine): void => void lines.push(line);
  await explainOrder(folder, { order: null, scenario: 'expected', list });
  const named = lines.find(({ orderId }) => orderId !== null)!;
  const { story, changed } = await explainOrder(folder, {
    order: { kind: 'venue', orderId: named.orderId! },
    scenario: 'expected',
  });
  expect(changed).toEqual([]);
  const { pricing, setting } = story!.asked!;
  expect(setting).toMatchObject({ instance: 'rain', strategy: 'fixed-spread' });
  expect(pricing!.wanted + pricing!.rounding + pricing!.moved).toBeCloseTo(pricing!.longPrice, 9);
  expect(story!.events.some(({ text }) => text.startsWith('over: '))).toBe(true);
});
