import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { SettingsSource } from '../../settings/index.js';
import type { HashedFile, RunFile } from '../../tape/index.js';
import { createRedactor } from '../../telemetry/redaction.js';
import { programVersion } from '../program-version.js';
import { secretsOf } from '../secrets.js';
import { strategyFilesOf } from '../strategy-files.js';
import type { BacktestResult } from './run-backtest.js';

/** What makes a backtest again: nothing in it depends on when or where it ran but the paths of its files. */
export async function backtestRunFile(
  { runId, stage }: BacktestResult,
  source: SettingsSource,
  overrides: readonly string[],
): Promise<RunFile> {
  const { settings, backtest, start } = stage;
  const redactor = createRedactor(secretsOf(settings, null));
  return {
    kind: 'oddsmith-run',
    version: 1,
    runId,
    mode: 'backtest',
    program: programVersion(),
    startedAt: start,
    endedAt: null,
    outcome: null,
    configFile: resolve(source.file),
    overrides,
    seed: settings.seed,
    configuration: redactor.value(settings),
    strategies: strategyFilesOf(settings, source.file),
    inputs: await Promise.all(backtest.recordings.map((file) => hashed(resolve(source.file, '..', file)))),
    decisions: null,
  };
}

async function hashed(file: string): Promise<HashedFile> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return { file, sha256: hash.digest('hex') };
}
