/** What an exchange wrote down of its commands, executed once more in this process. */
import { exchangeConfigOf } from '../../../src/runs/exchange/exchange.js';
import type { Command, ExchangeConfig } from '../../../src/exchange/contract.js';
import { Exchange } from '../../../src/exchange/exchange.js';
import { hashOf } from '../../../src/runs/exchange/durable/durable-exchange.js';
import { readCommands } from '../../../src/storage/command-log/index.js';
import type { CommandRecord } from '../../../src/core/ports/command-log.js';
import { loadExchangeSettings } from '../../../src/settings/index.js';

/** Every command that a data folder holds, in order. Of a folder that was never thinned out by a snapshot. */
function commandsIn(dataDir: string, config: ExchangeConfig): readonly CommandRecord<Command>[] {
  const commands: CommandRecord<Command>[] = [];
  readCommands<Command>(dataDir, hashOf(config), { after: 0 }, (record) => commands.push(record));
  return commands;
}

/** How many idempotency keys created orders, and how many of them did it more than once. */
export function keysIn(dataDir: string, file: string): { readonly keys: number; readonly twice: number } {
  const config = exchangeConfigOf(loadExchangeSettings(file, {}).settings);
  const exchange = new Exchange(config);
  const executed = new Map<string, number>();
  for (const { command, at } of commandsIn(dataDir, config)) {
    const { events, replayed } = exchange.execute(command, at);
    const key = 'request' in command ? command.request?.key : null;
    const creates = events.some((event) => event.kind === 'order-update' && event.previousStatus === null);
    if (key === null || key === undefined || replayed || !creates) continue;
    executed.set(key, (executed.get(key) ?? 0) + 1);
  }
  return { keys: executed.size, twice: [...executed.values()].filter((times) => times > 1).length };
}
