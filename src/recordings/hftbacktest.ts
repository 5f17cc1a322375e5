/** Writes markets of a neutral recording as hftbacktest (version 2) reads them: an array of events in an `.npz` file each. */
import { basename, join } from 'node:path';
import { zipSync } from 'fflate';
import type { MarketId } from '../domain/ids.js';
import { PRICE_ONE, SHARE_ONE } from '../domain/units.js';
import { makeFolder, replaceFileLater } from '../storage/files/whole-files.js';
import { openRecording } from '../storage/recordings/recording.js';
import { ROW, takerOf } from '../storage/recordings/blocks.js';

/** Kinds and flags of events, as hftbacktest names them. */
const EVENT = { depth: 1, trade: 2, snapshot: 4 } as const;
const FLAG = { exchange: 2 ** 31, local: 2 ** 30, buy: 2 ** 29, sell: 2 ** 28 } as const;

const BYTES_PER_EVENT = 64;
const DTYPE =
  "[('ev', '<u8'), ('exch_ts', '<i8'), ('local_ts', '<i8'), ('px', '<f8'), ('qty', '<f8'), ('order_id', '<u8'), ('ival', '<i8'), ('fval', '<f8')]";
/** Equal recordings give equal bytes. */
const NO_TIME = new Date(1980, 0, 1);

export interface ExportedMarket {
  readonly file: string;
  readonly market: MarketId;
  readonly events: number;
}

/**
 * Writes every market of a recording into a file of its own.
 * @param latencyMs time from the venue to the bot: the difference of both times of each event
 * @throws RecordingError
 */
export async function exportHftbacktest(
  file: string,
  out: string,
  latencyMs: number,
): Promise<readonly ExportedMarket[]> {
  const source = await openRecording(file);
  const markets = source.markets.map(({ marketId }) => ({ marketId, events: new Events(latencyMs) }));
  for await (const block of source.blocks())
    for (let row = 0; row < block.rows; row++) {
      const { events } = markets[block.market[row]!]!;
      const first = block.first[row]!;
      const at = block.at[row]!;
      const level = (place: number) => [block.prices[place]!, block.shares[place]!] as const;
      if (block.kind[row] === ROW.trade) events.trade(at, ...level(first), takerOf(block.word[row]!));
      if (block.kind[row] !== ROW.book) continue;
      const between = first + block.bids[row]!;
      const end = between + block.asks[row]!;
      const levels = (from: number, to: number) =>
        new Map(Array.from({ length: to - from }, (_, place) => level(from + place)));
      events.book(at, levels(first, between), levels(between, end));
    }
  makeFolder(out);
  const exported: ExportedMarket[] = [];
  for (const { marketId, events } of markets) {
    const path = join(out, `${basename(file).replace(/\.ndjson(\.gz|\.bz2)?$/, '')}-${marketId}.npz`);
    await replaceFileLater(path, piecesOf(events.packed()));
    exported.push({ file: path, market: marketId, events: events.count });
  }
  return exported;
}

// eslint-disable-next-line @typescript-eslint/require-await -- the file is written from an iteration
async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

type Levels = ReadonlyMap<number, number>;

/** Events of one market. A book becomes the changes of its levels; the first one is a snapshot. */
class Events {
  count = 0;
  private bytes = Buffer.alloc(1_024 * BYTES_PER_EVENT);
  private bids: Levels = new Map();
  private asks: Levels = new Map();
  private kind: number = EVENT.snapshot;

  constructor(private readonly latencyMs: number) {}

  trade(at: number, price: number, shares: number, taker: 'bid' | 'ask' | null): void {
    const side = taker === null ? 0 : taker === 'bid' ? FLAG.buy : FLAG.sell;
    this.add(EVENT.trade + side, at, price, shares);
  }

  book(at: number, bids: Levels, asks: Levels): void {
    this.side(at, FLAG.buy, this.bids, bids);
    this.side(at, FLAG.sell, this.asks, asks);
    this.bids = bids;
    this.asks = asks;
    this.kind = EVENT.depth;
  }

  /** An `.npz` is a zip archive of arrays, here one that is not packed. */
  packed(): Uint8Array {
    const head = `{'descr': ${DTYPE}, 'fortran_order': False, 'shape': (${this.count},), }`;
    // Magic, version and length take ten bytes; the data begin at a multiple of 64.
    const padded = head.padEnd(Math.ceil((head.length + 11) / 64) * 64 - 11) + '\n';
    const intro = Buffer.from([
      0x93,
      0x4e,
      0x55,
      0x4d,
      0x50,
      0x59,
      1,
      0,
      padded.length & 255,
      padded.length >> 8,
    ]);
    const data = Buffer.concat([
      intro,
      Buffer.from(padded, 'latin1'),
      this.bytes.subarray(0, this.count * BYTES_PER_EVENT),
    ]);
    return zipSync({ 'data.npy': [data, { level: 0 }] }, { mtime: NO_TIME });
  }

  private side(at: number, flag: number, before: Levels, after: Levels): void {
    for (const price of before.keys()) if (!after.has(price)) this.add(this.kind + flag, at, price, 0);
    for (const [price, shares] of after)
      if (before.get(price) !== shares) this.add(this.kind + flag, at, price, shares);
  }

  /** @param at microseconds */
  private add(event: number, at: number, price: number, shares: number): void {
    const place = this.count * BYTES_PER_EVENT;
    if (place === this.bytes.length) this.bytes = Buffer.concat([this.bytes, Buffer.alloc(place)]);
    const time = BigInt(at) * 1_000n;
    this.bytes.writeBigUInt64LE(BigInt(event + FLAG.exchange + FLAG.local), place);
    this.bytes.writeBigInt64LE(time, place + 8);
    this.bytes.writeBigInt64LE(time + BigInt(Math.round(this.latencyMs * 1e6)), place + 16);
    this.bytes.writeDoubleLE(price / PRICE_ONE, place + 24);
    this.bytes.writeDoubleLE(shares / SHARE_ONE, place + 32);
    this.count += 1;
  }
}
