/** The books of a paper account on the disk: cash, positions and orders, as a snapshot of its simulated exchange. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../domain/errors.js';
import type { Micros } from '../../domain/units.js';
import type { ExchangeConfig, ExchangeSnapshot } from '../../exchange/contract.js';
import type { AccountId } from '../../exchange/contract/ids.js';
import { Exchange } from '../../exchange/exchange.js';
import { replaceFile } from '../../storage/files/whole-files.js';

const NAME = 'paper.json';
/** Ids of orders that a killed process may have given without writing them down. */
const ID_GAP = 10_000;

export class PaperState {
  readonly path: string;

  /** @param folder of the account */
  constructor(folder: string) {
    this.path = join(folder, NAME);
  }

  /**
   * The books as they were left. Orders that rested are withdrawn: nobody saw their queues meanwhile. Books of others are
   * forgotten.
   * @param config holds from now on, except its accounts and events
   * @returns null: the account begins
   * @throws UsageError when the file cannot be read
   */
  load(config: ExchangeConfig, account: AccountId, now: Micros): ExchangeSnapshot | null {
    if (!existsSync(this.path)) return null;
    try {
      const exchange = Exchange.restore(JSON.parse(readFileSync(this.path, 'utf8')) as ExchangeSnapshot);
      exchange.execute({ kind: 'cancel-all', account, eventId: null, marketId: null }, now);
      return continued(exchange.snapshot('left out'), config);
    } catch (error) {
      const { message } = error as Error;
      throw new UsageError(
        `the paper account cannot be read (${this.path}: ${message}); remove this file to begin with new cash`,
        { cause: error },
      );
    }
  }

  /** @throws an error of the file system */
  save(snapshot: ExchangeSnapshot): void {
    replaceFile(this.path, JSON.stringify(snapshot));
  }
}

function continued(snapshot: ExchangeSnapshot, config: ExchangeConfig): ExchangeSnapshot {
  const { lastOrderId } = snapshot as { readonly lastOrderId?: number };
  const { accounts, events } = snapshot['config'] as ExchangeConfig;
  return {
    ...snapshot,
    config: { ...config, accounts, events },
    lastOrderId: lastOrderId! + ID_GAP,
  };
}
