/** What an exchange wrote down of its commands, executed once more in this process. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exchangeConfigOf } from '../../../src/runs/exchange/exchange.js';
import type { Command } from '../../../src/exchange/contract.js';
import { Exchange } from '../../../src/exchange/exchange.js';
import type { CommandRecord } from '../../../src/core/ports/command-log.js';
import { loadExchangeSettings } from '../../../src/settings/index.js';

/** Every command that a data folder holds, in order. Of a folder that was never thinned out by a snapshot. */
function commandsIn(dataDir: string): readonly CommandRecord<Command>[] {
  const files = readdirSync(dataDir)
    .filter((name) => name.startsWith('commands-'))
    .toSorted();
  const lines = files.flatMap((name) => readFileSync(join(dataDir, name), 'utf8').split('\n'));
  return lines
    .filter((line) => line.endsWith('}'))
    .map((line) => (JSON.parse(line) as { readonly record: CommandRecord<Command> }).record)
    .filter((record) => 'command' in record);
}

/** How many idempotency keys created orders, and how many of them did it more than once. */
export function keysIn(dataDir: string, file: string): { readonly keys: number; readonly twice: number } {
  const exchange = new Exchange(exchangeConfigOf(loadExchangeSettings(file, {}).settings));
  const executed = new Map<string, number>();
  for (const { command, at } of commandsIn(dataDir)) {
    const { events, replayed } = exchange.execute(command, at);
    const key = 'request' in command ? command.request?.key : null;
    const creates = events.some((event) => event.kind === 'order-update' && event.previousStatus === null);
    if (key === null || key === undefined || replayed || !creates) continue;
    executed.set(key, (executed.get(key) ?? 0) + 1);
  }
  return { keys: executed.size, twice: [...executed.values()].filter((times) => times > 1).length };
}
