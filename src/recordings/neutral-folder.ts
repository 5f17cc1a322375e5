/** The folder of an import: neutral files and `markets.json`. Lines are numbered when all markets are known. */
import { appendFileSync, createReadStream, existsSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { UsageError } from '../domain/errors.js';
import { removeIfEmpty, replaceFileLater, replaceFileUnsynced } from '../storage/files/whole-files.js';
import { type Lock, lockResult } from '../storage/state/lock-file.js';
import { type EventFile, type LineSink, type MarketLines, NEUTRAL_VERSION } from './event-file.js';
import { type ImportOptions, USUAL_OPTIONS } from './import-options.js';
import { FINE_ONE } from './ladder.js';
import { hashOf } from './raw-files.js';
import type { Session } from './session.js';

/** An event as it was written. */
export interface ImportedFile {
  readonly file: string;
  readonly event: number;
  readonly markets: number;
  readonly books: number;
  readonly trades: number;
}

export interface Imported {
  readonly folder: string;
  readonly files: readonly ImportedFile[];
  /** Venue ids of events without a book, which have no file. */
  readonly empty: readonly string[];
}

/** An entry of `markets.json`. */
interface MarketEntry {
  readonly event: number;
  readonly market: number;
  readonly file: string;
  readonly venue?: string;
  readonly venue_id?: string;
  readonly venue_event?: string;
  readonly selection?: number;
  readonly handicap?: number;
}

const LIST = 'markets.json';
/** Characters of lines that wait to be written. */
const WAITING_MOST = 262_144;

/** Collects lines of an event in a file beside the one that will be written. */
class PartSink implements LineSink {
  private lines: string[] = [];
  private length = 0;

  constructor(readonly path: string) {}

  write(line: string): void {
    this.lines.push(line);
    this.length += line.length;
    if (this.length > WAITING_MOST) this.flush();
  }

  flush(): void {
    if (this.lines.length > 0) appendFileSync(this.path, `${this.lines.join('\n')}\n`, { mode: 0o600 });
    this.lines = [];
    this.length = 0;
  }
}

export class NeutralFolder {
  private readonly parts = new Map<string, PartSink>();
  private readonly lock: Lock;
  private readonly isNew: boolean;

  /** @throws UsageError when it cannot be written, LockHeldError when another import writes there */
  constructor(private readonly path: string) {
    this.isNew = !existsSync(path);
    this.lock = lockResult(join(path, '.import.lock'), `the import into ${path}`);
  }

  sink(name: string): LineSink {
    const part = new PartSink(join(this.path, `.${fileName(name)}.${process.pid}.part`));
    rmSync(part.path, { force: true });
    this.parts.set(name, part);
    return part;
  }

  /** Takes away what is not whole, and lets others in. */
  close(): void {
    for (const { path } of this.parts.values()) rmSync(path, { force: true });
    this.lock.release();
    if (this.isNew) removeIfEmpty(this.path);
  }

  /** Numbers events and markets, writes their files and `markets.json`. @throws UsageError */
  async finish(
    session: Session,
    { names, resolutions }: { readonly names: readonly string[]; readonly resolutions: readonly string[] },
  ): Promise<Imported> {
    const before = this.known();
    const events = [...session.events.values()];
    const numbered = numbersOf(
      events.filter(({ isUsable }) => isUsable),
      before,
    );
    const tables = [...names, ...resolutions.filter((text) => existsSync(text))];
    const options = {
      ...changedOptions(session.options),
      ...(tables.length > 0 && { tables: await Promise.all(tables.map(sourceOf)) }),
      ...(resolutions.some((text) => !existsSync(text)) && {
        resolutions: resolutions.filter((text) => !existsSync(text)),
      }),
    };
    const entries: MarketEntry[] = [];
    const files: ImportedFile[] = [];
    for (const { event, number, markets } of numbered) {
      const part = this.parts.get(event.name)!;
      part.flush();
      const file = fileName(event.name);
      await replaceFileLater(join(this.path, file), packed(part.path, number, markets));
      const source = await Promise.all([...event.sources].map(sourceOf));
      for (const [at, market] of event.markets.entries())
        entries.push(entryOf(event, market, { number, market: markets[at]!, file, source, options }));
      files.push({
        file,
        event: number,
        markets: markets.length,
        books: sum(event.markets, 'books'),
        trades: sum(event.markets, 'trades'),
      });
    }
    const written = new Set(files.map(({ file }) => file));
    const list = [...before.filter(({ file }) => !written.has(file)), ...entries].toSorted(
      (one, other) => one.event - other.event || one.market - other.market,
    );
    replaceFileUnsynced(join(this.path, LIST), `${JSON.stringify(list, null, 1)}\n`);
    const empty = events
      .filter(({ isUsable, refusal }) => !isUsable && refusal === null)
      .map(({ name }) => name);
    return { folder: this.path, files, empty };
  }

  private known(): readonly MarketEntry[] {
    const path = join(this.path, LIST);
    if (!existsSync(path)) return [];
    try {
      const list: unknown = JSON.parse(readFileSync(path, 'utf8'));
      if (Array.isArray(list)) return list as MarketEntry[];
    } catch {
      // Reported below.
    }
    throw new UsageError(`${path} is no JSON list; expected the markets of this folder`);
  }
}

const sum = (markets: readonly MarketLines[], what: 'books' | 'trades'): number =>
  markets.reduce((all, market) => all + market[what], 0);

/** `1.206064380.ndjson.gz` */
const fileName = (name: string): string => `${name.toLowerCase().replaceAll(/[^a-z0-9._-]/g, '_')}.ndjson.gz`;

async function sourceOf(name: string) {
  const path = existsSync(name) ? name : name.slice(0, name.lastIndexOf('.zip/') + 4);
  return { file: basename(name), sha256: await hashOf(path) };
}

/** Lines with their numbers, packed. */
async function* packed(part: string, event: number, markets: readonly number[]): AsyncGenerator<Uint8Array> {
  const gzip = createGzip();
  pipeline(Readable.from(numberedText(part, event, markets)), gzip, () => undefined);
  for await (const piece of gzip) yield piece as Buffer;
}

async function* numberedText(
  part: string,
  event: number,
  markets: readonly number[],
): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of createReadStream(part, { encoding: 'utf8', highWaterMark: WAITING_MOST })) {
    const text = rest + (piece as string);
    const end = text.lastIndexOf('\n') + 1;
    rest = text.slice(end);
    yield text
      .slice(0, end)
      .replaceAll(
        /"event":0,"market":(\d+)/g,
        (_, place) => `"event":${event},"market":${markets[Number(place)]}`,
      );
  }
}

interface NumberedEvent {
  readonly event: EventFile;
  readonly number: number;
  /** Numbers of its markets, by place. */
  readonly markets: readonly number[];
}

const byText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** Markets of one venue event have one event number; a market on Betfair is an event of its runners. */
const eventKey = ({ name, about }: EventFile): string =>
  `${about.venue} ${about.venue === 'betfair' ? name : (about.venueEvent ?? name)}`;

const marketKey = (venue: string, id: string, selection = 0, handicap = 0): string =>
  `${venue} ${id} ${selection} ${handicap}`;

/** Numbers that `markets.json` has stay; others follow in the order of the venue's ids. */
function numbersOf(events: readonly EventFile[], before: readonly MarketEntry[]): readonly NumberedEvent[] {
  const markets = new Map<string, MarketEntry>();
  const numbers = new Map<string, number>();
  for (const entry of before) {
    const { venue = '', venue_id: id = '', venue_event: group, selection, handicap } = entry;
    markets.set(marketKey(venue, id, selection, handicap), entry);
    numbers.set(`${venue} ${id}`, entry.event);
    if (group !== undefined && venue !== 'betfair') numbers.set(`${venue} ${group}`, entry.event);
  }
  let [lastEvent, lastMarket] = [0, 0];
  for (const { event, market } of before) {
    lastEvent = Math.max(lastEvent, event);
    lastMarket = Math.max(lastMarket, market);
  }
  const sorted = events.toSorted(
    (one, other) => byText(eventKey(one), eventKey(other)) || byText(one.name, other.name),
  );
  return sorted.map((event) => {
    const { venue } = event.about;
    const key = eventKey(event);
    const number = numbers.get(`${venue} ${event.name}`) ?? numbers.get(key) ?? ++lastEvent;
    numbers.set(key, number);
    const found = new Map<MarketLines, number>();
    const order = event.markets.toSorted(
      ({ about: one }, { about: other }) =>
        (one.selection ?? 0) - (other.selection ?? 0) || (one.handicap ?? 0) - (other.handicap ?? 0),
    );
    for (const market of order) {
      const { venueId, selection, handicap } = market.about;
      const known = markets.get(marketKey(venue, venueId, selection, handicap));
      found.set(market, known?.market ?? ++lastMarket);
    }
    return { event, number, markets: event.markets.map((market) => found.get(market)!) };
  });
}

interface EntryNumbers {
  readonly number: number;
  readonly market: number;
  readonly file: string;
  readonly source: readonly { readonly file: string; readonly sha256: string }[];
  readonly options: Readonly<Record<string, unknown>>;
}

function entryOf(event: EventFile, lines: MarketLines, numbers: EntryNumbers): MarketEntry {
  const { about, settlement, step, books, trades, volume, firstAt, lastAt } = lines;
  const { venue, venueEvent, grid } = event.about;
  const words =
    settlement === 1 ? 'long' : settlement === 0 ? 'short' : settlement === 'void' ? 'void' : null;
  return {
    event: numbers.number,
    market: numbers.market,
    file: numbers.file,
    venue,
    venue_id: about.venueId,
    ...(venueEvent !== null && { venue_event: venueEvent }),
    ...(about.selection !== undefined && { selection: about.selection }),
    ...(about.handicap !== undefined && { handicap: about.handicap }),
    ...(about.title !== undefined && { title: about.title }),
    ...(about.runner !== undefined && { runner: about.runner }),
    ...(about.exclusive !== undefined && { exclusive: about.exclusive }),
    ...(about.winners !== undefined && { winners: about.winners }),
    tick: (grid === null ? step : event.grid) / FINE_ONE,
    ...(about.closeAt !== undefined && { close_t: about.closeAt }),
    ...(about.marketTime !== undefined && { market_time: about.marketTime }),
    resolution: words,
    payout: typeof settlement === 'number' ? settlement : null,
    first_t: firstAt,
    last_t: lastAt,
    books,
    trades,
    shares: volume / 100,
    version: NEUTRAL_VERSION,
    source: numbers.source,
    options: numbers.options,
  } as MarketEntry;
}

/** Options that are not the usual ones. */
const changedOptions = (options: ImportOptions): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(options).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(USUAL_OPTIONS[name as keyof ImportOptions]),
    ),
  );
