/** Every fill of a run as `report-fills.csv` and `report-fills.parquet`. */
import { closeSync, copyFileSync, existsSync, openSync, readSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { RunDescription } from '../analytics/observer.js';
import { cannotWrite } from '../domain/errors.js';
import type { Fill } from '../domain/fill.js';
import type { MarketId } from '../domain/ids.js';
import type { Stamped } from '../domain/inputs.js';
import { currencyUnits, type Money, type Shares, wholeShares } from '../domain/units.js';
import { modeOf } from '../domain/vocabulary.js';
import { makeFolder, writeBytes } from '../storage/files/whole-files.js';
import {
  FILL_COLUMNS,
  fillColumn,
  type FillColumn,
  type KnownFill,
  priceOf,
  writeFillFile,
} from './fill-files.js';
import { FillRows } from './fill-rows.js';
import type { ReportedFills, Titles } from './run-report.js';

const NAME = 'report-fills';
const TABLES = [`${NAME}.csv`, `${NAME}.parquet`] as const;

/**
 * Where the fills of a scenario are noted until the run is over.
 * @param replay process that replays the run: the notes of the run itself may still be written; left out: the run itself
 */
export const fillNotesFile = (folder: string, scenario: string, replay?: number): string =>
  join(folder, [NAME, scenario, ...(replay === undefined ? [] : [replay]), 'ndjson.new'].join('.'));

/** Whether a run has both tables. */
export const hasFillTables = (folder: string): boolean =>
  TABLES.every((name) => existsSync(join(folder, name)));

interface NotedFill extends KnownFill {
  readonly scenario: string;
  readonly mid: number | null;
}

/** Rows are noted once there is so much text. */
const PIECE = 65_536;

/**
 * Notes the fills of a run while it goes on, a line each. Inferred ones are held until the run ends, for a later message may
 * replace them.
 */
export class FillNotes {
  private readonly instances = new Map<MarketId, string>();
  private readonly mids = new Map<MarketId, number | null>();
  private readonly rows = new FillRows<NotedFill>();
  private file: number | null = null;
  private fault: unknown = null;
  private text = '';

  /** @param path see {@link fillNotesFile} */
  constructor(
    readonly path: string,
    private readonly run: Pick<RunDescription, 'scenario' | 'currency' | 'events'>,
  ) {
    this.described(run.events);
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
    const { scenario, currency } = this.run;
    const instance = this.instances.get(fill.marketId) ?? null;
    const mid = this.mids.get(fill.marketId) ?? null;
    for (const row of this.rows.take(fill, { ...fill, scenario, currency, instance, mid })) this.note(row);
  }

  /** @throws UsageError when not all of it could be noted */
  close(): void {
    for (const row of this.rows.rest()) this.note(row);
    this.flush();
    if (this.file !== null) closeSync(this.file);
    if (this.fault !== null) throw cannotWrite(this.path, this.fault);
  }

  private note(row: NotedFill): void {
    this.text += `${JSON.stringify(row)}\n`;
    if (this.text.length >= PIECE) this.flush();
  }

  /** Whoever looks on must not throw: what cannot be written is told at the end. */
  private flush(): void {
    const { text } = this;
    this.text = '';
    if (this.fault !== null) return;
    try {
      this.file ??= openSync(this.path, 'w', 0o600);
      writeBytes(this.file, Buffer.from(text));
    } catch (error) {
      this.fault = error;
    }
  }
}

/** Rows of the page at most; the tables have all. */
const SHOWN = 500;

/**
 * Makes the tables of the notes of a run and removes these, the scenarios one behind the other.
 * @param notes files of closed ones, one for each scenario
 * @param headline whose fills the page shows
 * @returns the latest fills of the headline
 * @throws UsageError when a table cannot be written
 */
export async function writeFillTables(
  folder: string,
  notes: readonly string[],
  headline: string,
  titles: Titles,
): Promise<ReportedFills> {
  const columns = columnsWith(titles);
  const [csv, parquet] = TABLES;
  const latest = new Latest(headline);
  await writeFillFile(join(folder, csv), columns, latest.among(notedIn(notes)));
  await writeFillFile(join(folder, parquet), columns, notedIn(notes));
  for (const path of notes) rmSync(path, { force: true });
  return { of: latest.of, rows: latest.rows().map(reported) };
}

/** The last rows of one scenario, whatever their number. */
class Latest {
  of = 0;
  private readonly ring: NotedFill[] = [];

  constructor(private readonly scenario: string) {}

  *among(rows: Iterable<NotedFill>): Generator<NotedFill> {
    for (const row of rows) {
      if (row.scenario === this.scenario) this.ring[this.of++ % SHOWN] = row;
      yield row;
    }
  }

  rows(): readonly NotedFill[] {
    const first = this.of > SHOWN ? this.of % SHOWN : 0;
    return [...this.ring.slice(first), ...this.ring.slice(0, first)];
  }
}

const columnsWith = (titles: Titles): readonly FillColumn<NotedFill>[] => [
  fillColumn('scenario', 'text', ({ scenario }) => scenario),
  ...FILL_COLUMNS,
  /** Long-side mid of the last book that the venue sent before, own orders among its levels. */
  fillColumn('venue_mid', 'decimal', ({ mid }) => (mid === null ? null : mid * 100)),
  fillColumn('event_title', 'text', ({ eventId }) => titles.get(`event ${eventId}`) ?? null),
  fillColumn('market_title', 'text', ({ marketId }) => titles.get(`market ${marketId}`) ?? null),
];

const reported = (fill: KnownFill): ReportedFills['rows'][number] => ({
  at: fill.at,
  id: fill.id,
  isInferred: fill.isInferred,
  instance: fill.instance,
  eventId: fill.eventId,
  marketId: fill.marketId,
  orderId: fill.orderId,
  side: fill.side,
  position: fill.position,
  price: fill.shares === 0 ? null : priceOf(fill)! / 1e6,
  shares: wholeShares(fill.shares as Shares),
  amount: currencyUnits(fill.amount as Money),
  fee: currencyUnits(fill.fee as Money),
  currency: fill.currency,
  liquidity: fill.liquidity,
});

/** Line by line, whatever their number. */
function* notedIn(paths: readonly string[]): Generator<NotedFill> {
  const piece = Buffer.alloc(PIECE);
  for (const path of paths) {
    const file = openSync(path, 'r');
    try {
      let rest: Buffer = Buffer.alloc(0);
      for (let read = readSync(file, piece); read > 0; read = readSync(file, piece)) {
        rest = Buffer.concat([rest, piece.subarray(0, read)]);
        const whole = rest.lastIndexOf('\n') + 1;
        for (const line of rest.toString('utf8', 0, whole).split('\n'))
          if (line !== '') yield JSON.parse(line) as NotedFill;
        rest = rest.subarray(whole);
      }
    } finally {
      closeSync(file);
    }
  }
}

/** Puts the tables of a run into another folder. One that the run lacks is removed there: it is of another run. */
export function copyFillTables(from: string, to: string): void {
  if (resolve(from) === resolve(to)) return;
  makeFolder(to);
  for (const name of TABLES) {
    const [source, target] = [join(from, name), join(to, name)];
    try {
      if (existsSync(source)) copyFileSync(source, target);
      else rmSync(target, { force: true });
    } catch (error) {
      throw cannotWrite(target, error);
    }
  }
}
