import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  openDurableExchange,
  makeSnapshot,
  recover,
} from '../../../src/runs/exchange/durable/durable-exchange.js';
import type { SnapshotTask } from '../../../src/runs/exchange/durable/snapshots.js';
import { exchangeConfigOf } from '../../../src/runs/exchange/exchange.js';
import type { ExchangeSettings } from '../../../src/settings/index.js';
import { visibleState } from './visible-state.js';
import { SILENT } from '../process/silent-logger.js';

const SNAPSHOT_EVERY = 25;

/** Makes a snapshot at once, in the thread that asks for it. */
export const snapshotAtOnce = ({ dir, config, sequence }: SnapshotTask) => ({
  made: new Promise<void>((resolve) => {
    makeSnapshot(dir, config, sequence);
    resolve();
  }),
  stop: () => Promise.resolve(),
});

/**
 * An exchange with a folder and many snapshots. When it closes, another one is made of the folder.
 * @throws Error at the end when that one differs
 */
export function durableCore(settings: ExchangeSettings) {
  const dir = mkdtempSync(join(tmpdir(), 'contract-'));
  const config = exchangeConfigOf(settings);
  const durable = openDurableExchange({
    dir,
    config,
    snapshotEvery: SNAPSHOT_EVERY,
    logger: SILENT,
    startSnapshot: snapshotAtOnce,
  });
  const { exchange, log } = durable;
  return {
    exchange,
    log,
    close: async () => {
      await durable.close();
      const { exchange: again } = recover(dir, config);
      rmSync(dir, { recursive: true, force: true });
      if (visibleState(again, config) !== visibleState(exchange, config))
        throw new Error('the exchange did not come back as it was');
    },
  };
}
