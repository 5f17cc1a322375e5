/** Recordings in the neutral form as a test writes them down: whole shares, prices between 0 and 1, milliseconds. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scratchFolder } from '../disk/scratch-folder.js';

export type Level = readonly [price: number, shares: number];

/** When every such recording begins, Unix milliseconds. */
export const BEGIN = 1_767_614_400_000;

/** Lines of one market, times counted from {@link BEGIN}. */
export const linesOfMarket = (market: number, event = 300) => {
  const line = (t: number, type: string, rest: object): string =>
    JSON.stringify({ t: BEGIN + t, type, event, market, ...rest });
  return {
    book: (t: number, bid: readonly Level[], ask: readonly Level[]) => line(t, 'book', { bid, ask }),
    trade: (t: number, price: number, shares: number, takerSide: 'bid' | 'ask') =>
      line(t, 'trade', { price, shares, taker_side: takerSide }),
    status: (t: number, status: 'open' | 'closed', more: object = {}) =>
      line(t, 'status', { status, resolution: null, ...more }),
    resolved: (t: number, resolution: 'long' | 'short') =>
      line(t, 'status', { status: 'resolved', resolution }),
    voided: (t: number) => line(t, 'status', { status: 'resolved', resolution: 'short', void: true }),
  };
};

/** @returns the path of a file of the running test with these lines */
export function recordingOf(lines: readonly string[], name = 'recording.ndjson'): string {
  const file = join(scratchFolder(), name);
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}
