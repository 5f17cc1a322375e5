/** Screen and engine on recorded market data: Kalshi, and touches of Polymarket, several markets among them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runBacktest } from '../../../../src/runs/backtest/run-backtest.js';
import { screenPiece } from '../../../../src/runs/screen/screen-piece.js';
import { loadBotSettings, SettingsSource } from '../../../../src/settings/index.js';
import { openRecording } from '../../../../src/storage/index.js';
import { ROOT } from '../../../support/project/small-house.js';

const DATA = process.env['MARKET_DATA_DIR'] ?? join(ROOT, '..', 'shared', 'data');
const FILE = join(ROOT, 'config', 'backtest.yaml');
const CASES = [
  'kalshi-gold15m/kxgold15m-26aug101815-15.ndjson.gz',
  'kalshi-gold15m/kxgold15m-26aug101900-00.ndjson.gz',
  'kalshi-gold15m/kxgold15m-26aug102045-45.ndjson.gz',
  'polymarket-parallax/touch-2026-08-16t0613-yesno.ndjson.gz',
] as const;
const CONFIGURATIONS = [
  ['instances.rain.params.halfSpread=0.006', 'instances.rain.params.shares=40'],
  ['instances.rain.params.halfSpread=0.02', 'instances.rain.params.shares=10'],
  ['instances.rain.strategy=glft', 'instances.rain.params={}'],
] as const;

describe.skipIf(!existsSync(DATA))('a screen of a recorded market', () => {
  it.each(CASES)('comes to the profit of the engine in %s', { timeout: 300_000 }, async (name) => {
    const recording = await openRecording(join(DATA, name));
    const differences: number[] = [];
    for (const overrides of CONFIGURATIONS) {
      const { settings } = loadBotSettings(FILE, {}, ['backtest.markets=recorded', ...overrides]);
      const source = SettingsSource.parse('{}', FILE, {});
      const [screened] = await screenPiece([settings], FILE, [recording]);
      const { scenarios } = await runBacktest({ settings, source, recordings: [recording] });
      for (const [at, { profit, fills }] of scenarios.entries()) {
        differences.push(Math.abs(screened![at]!.profit - profit));
        // An update that comes too late may lead to another fill or two.
        expect(Math.abs(screened![at]!.fills - fills)).toBeLessThanOrEqual(0.02 * fills + 1);
      }
    }
    expect(differences.filter((difference) => difference < 0.005).length).toBeGreaterThanOrEqual(7);
  });
});
