/** Every fill of a run as a row of `report-fills.csv`, written while the run goes on. */
import { closeSync, copyFileSync, existsSync, openSync, readSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { RunDescription } from '../analytics/observer.js';
import { cannotWrite } from '../domain/errors.js';
import type { Fill } from '../domain/fill.js';
import type { MarketId } from '../domain/ids.js';
import type { Stamped } from '../domain/inputs.js';
import { currencyUnits, type Money, PRICE_ONE, wholeShares } from '../domain/units.js';
import { modeOf } from '../domain/vocabulary.js';
import { UNFINISHED, writeBytes } from '../storage/files/whole-files.js';
import { csvLine, isoTime } from './csv.js';
import { type FillRow, FillRows } from './fill-rows.js';

const NAME = 'report-fills.csv';

export const fillTableFile = (folder: string): string => join(folder, NAME);

/** Where one of several scenarios writes its rows. */
export const fillTablePart = (folder: string, scenario: string): string =>
  join(folder, `${NAME}.${scenario}`);

const COLUMNS = [
  'scenario',
  /** Of the run, in the order in which it learned of them. */
  'fill',
  /** No message told of it: the venue's holdings show it. Its order and price are the likeliest ones. */
  'inferred',
  /** By the clock of the bot, when it heard of the fill, or saw before that holdings differ. */
  'bot_time',
  'instance',
  'event',
  'market',
  'order',
  'side',
  'position',
  /** Of the position, on average. */
  'price',
  'shares',
  'amount',
  'fee',
  'currency',
  /** maker, taker or unknown. */
  'liquidity',
  /** Long-side mid of the last book that the venue sent before, own orders among its levels. */
  'venue_mid',
] as const;

type Row = FillRow & { readonly mid: number | null };

/** Rows are written once there is so much text. */
const PIECE = 65_536;

/** Inferred fills are held until the run ends, for a later message may replace them. All other rows go to the file. */
export class FillTable {
  private readonly instances = new Map<MarketId, string>();
  private readonly mids = new Map<MarketId, number | null>();
  private readonly rows = new FillRows<Row>();
  private file: number | null = null;
  private fault: unknown = null;
  private text = '';

  /** @param path replaced once {@link close} has written all of it */
  constructor(
    private readonly path: string,
    private readonly run: Pick<RunDescription, 'scenario' | 'currency' | 'events'>,
    hasHead = true,
  ) {
    this.described(run.events);
    if (hasHead) this.text = `${COLUMNS.join(',')}\n`;
  }

  described(events: RunDescription['events']): void {
    for (const { markets } of events)
      for (const { marketId, strategy } of markets) this.instances.set(marketId, strategy);
  }

  took({ input }: Stamped): void {
    if (input.kind !== 'book' || input.mode !== modeOf(this.run.currency)) return;
    const [bid, ask] = [input.bids.prices[0], input.asks.prices[0]];
    this.mids.set(input.marketId, bid === undefined || ask === undefined ? null : (bid + ask) / 2);
  }

  filled(fill: Fill): void {
    for (const row of this.rows.take(fill, { ...fill, mid: this.mids.get(fill.marketId) ?? null }))
      this.write(row);
  }

  /** @throws UsageError when not all of it could be written */
  close(): void {
    for (const row of this.rows.rest()) this.write(row);
    this.flush();
    if (this.file !== null) closeSync(this.file);
    try {
      if (this.fault !== null) throw this.fault;
      renameSync(this.path + UNFINISHED, this.path);
    } catch (error) {
      throw cannotWrite(this.path, error);
    }
  }

  private write(row: Row): void {
    const { shares, amount, fee, marketId } = row;
    const price = shares === 0 ? null : amount / shares / PRICE_ONE;
    this.text += csvLine([
      this.run.scenario,
      row.id,
      row.isInferred ? 'yes' : 'no',
      isoTime(row.at),
      this.instances.get(marketId) ?? null,
      row.eventId,
      marketId,
      row.orderId,
      row.side,
      row.position,
      price,
      wholeShares(shares as Fill['shares']),
      currencyUnits(amount as Money),
      currencyUnits(fee as Money),
      this.run.currency,
      row.liquidity,
      row.mid === null ? null : row.mid / PRICE_ONE,
    ]);
    if (this.text.length >= PIECE) this.flush();
  }

  /** Whoever looks on must not throw: what cannot be written is told at the end. */
  private flush(): void {
    const { text } = this;
    this.text = '';
    if (this.fault !== null) return;
    try {
      this.file ??= openSync(this.path + UNFINISHED, 'w', 0o600);
      writeBytes(this.file, Buffer.from(text));
    } catch (error) {
      this.fault = error;
    }
  }
}

/** Puts the parts of the scenarios together, one behind the other. @throws UsageError when that cannot be written */
export function joinFillTables(folder: string, scenarios: readonly string[]): void {
  const path = fillTableFile(folder);
  const parts = scenarios.map((scenario) => fillTablePart(folder, scenario));
  try {
    const whole = openSync(path + UNFINISHED, 'w', 0o600);
    for (const part of parts) copyInto(whole, part);
    closeSync(whole);
    renameSync(path + UNFINISHED, path);
    for (const part of parts) rmSync(part);
  } catch (error) {
    throw cannotWrite(path, error);
  }
}

/** Where a table of the same run is there already it stays: it was just made from the tape. */
export function copyFillTable(from: string, to: string): void {
  const [source, target] = [fillTableFile(from), fillTableFile(to)];
  if (!existsSync(source) || existsSync(target)) return;
  try {
    copyFileSync(source, target);
  } catch (error) {
    throw cannotWrite(target, error);
  }
}

function copyInto(whole: number, part: string): void {
  const file = openSync(part, 'r');
  const piece = Buffer.alloc(PIECE);
  for (let read = readSync(file, piece); read > 0; read = readSync(file, piece))
    writeBytes(whole, piece.subarray(0, read));
  closeSync(file);
}
