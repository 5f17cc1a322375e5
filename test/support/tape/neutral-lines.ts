/** Recordings in the neutral form as a test writes them down: whole shares, prices between 0 and 1, milliseconds. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writtenId } from '../../../src/domain/ids.js';
import type { Levels } from '../../../src/domain/levels.js';
import type { RecordedLine } from '../../../src/domain/recorded.js';
import { PRICE_ONE, SHARE_ONE } from '../../../src/domain/units.js';
import { NeutralDecoder } from '../../../src/storage/recordings/neutral.js';
import { openShared, type RecordingSource } from '../../../src/storage/recordings/recording.js';
import { Survey } from '../../../src/storage/recordings/survey.js';
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

/** A line of the neutral form, without the line feed; `parseNeutral` reads it back. */
export function writeNeutralLine(line: RecordedLine): string {
  const head = {
    t: Math.floor(line.at / 1_000),
    type: line.kind,
    event: writtenId(line.eventId),
    market: writtenId(line.marketId),
  };
  const pairs = ({ prices, shares }: Levels) =>
    prices.map((price, at) => [price / PRICE_ONE, shares[at]! / SHARE_ONE]);
  if (line.kind === 'book') return JSON.stringify({ ...head, bid: pairs(line.bids), ask: pairs(line.asks) });
  if (line.kind === 'trade')
    return JSON.stringify({
      ...head,
      price: line.price / PRICE_ONE,
      shares: line.shares / SHARE_ONE,
      taker_side: line.takerSide,
    });
  return JSON.stringify({
    ...head,
    status: line.status,
    resolution: line.resolution === 'void' ? null : line.resolution,
    ...(line.resolution === 'void' ? { void: true } : {}),
    ...(line.inPlay ? { inplay: true } : {}),
  });
}

/** A recording of a text in the neutral form, for a test that has no file. */
export function recordingOfText(text: string): RecordingSource {
  const decoder = new NeutralDecoder('property');
  const kept = [...decoder.push(Buffer.from(text)), ...decoder.end()];
  const survey = new Survey(decoder.markets);
  for (const block of kept) survey.take(block);
  const about = { named: [], notes: [] };
  return openShared({
    name: 'property',
    sha256: '',
    about,
    trades: 'recorded',
    stamps: [],
    stretch: null,
    kept,
    ...survey.figures(about),
  });
}
