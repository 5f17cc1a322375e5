/** The books of an account: every fill and every resolution of all its runs, a line each, appended while they happen. */
import type { DescribedEvent } from '../../analytics/observer.js';
import { closeSync, createReadStream, existsSync, openSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import type { EngineObserver } from '../../core/engine/observing/observer.js';
import type { EngineOptions } from '../../core/engine/options.js';
import type { Logger } from '../../core/ports/logger.js';
import type { Fill } from '../../domain/fill.js';
import type { EventId, MarketId } from '../../domain/ids.js';
import type { HoldingReport } from '../../domain/orders.js';
import type { Micros, Shares } from '../../domain/units.js';
import type { BookLine } from '../../report/books.js';
import type { Currency, Position, Resolution } from '../../domain/vocabulary.js';
import { writeBytes } from '../../storage/files/whole-files.js';
import { RetriedWrite } from './retried-write.js';

export interface FillsFileOptions {
  readonly path: string;
  readonly runId: string;
  readonly currency: Currency;
  readonly instances: EngineOptions['instances'];
  readonly logger: Pick<Logger, 'error'>;
}

/** A line is with the system before the engine goes on: a killed process loses none. What cannot be written is tried again. */
export class FillsFile implements Pick<
  EngineObserver,
  'described' | 'filled' | 'opened' | 'transferred' | 'resolved' | 'reversed'
> {
  readonly #options: FillsFileOptions;
  readonly #instances = new Map<MarketId, string>();
  readonly #events = new Map<MarketId, EventId>();
  /** Markets of which it is told what was held at the start; null: all. */
  #opened: Set<MarketId> | null = new Set();
  readonly #failures: RetriedWrite;
  #file: number | null = null;
  #text = '';

  constructor(options: FillsFileOptions) {
    const { path, logger } = options;
    this.#options = options;
    for (const { instance, markets } of options.instances)
      for (const market of markets) this.#instances.set(market, instance.name);
    const what = 'fills cannot be written to the books of the account; it is tried again until the run ends';
    this.#failures = new RetriedWrite((error) => logger.error(what, { path, err: error }));
  }

  described(events: readonly DescribedEvent[]): void {
    for (const { eventId, markets } of events)
      for (const { marketId, strategy } of markets) {
        this.#instances.set(marketId, strategy);
        this.#events.set(marketId, eventId);
      }
  }

  opened(holdings: readonly HoldingReport[], at: Micros, markets: readonly MarketId[] | null): void {
    this.#opened = markets === null ? null : new Set([...(this.#opened ?? []), ...markets]);
    const { runId, currency } = this.#options;
    const held = holdings.map(({ eventId, marketId, position, shares, purchasesAmount }) => {
      this.#events.set(marketId, eventId);
      return { eventId, marketId, position, shares, purchasesAmount };
    });
    const line = { kind: 'held', at, runId, currency, holdings: held } as const;
    this.#append(markets === null ? line : { ...line, markets });
  }

  /** What came at the start is what was held then. */
  transferred(marketId: MarketId, at: Micros, position: Position, came: Shares, longPrice: number): void {
    const eventId = this.#events.get(marketId);
    if (this.#opened?.has(marketId) === false || eventId === undefined) return;
    const { runId, currency } = this.#options;
    const of = { eventId, marketId, position, currency };
    this.#append({ kind: 'moved', at, runId, ...of, shares: came, longPrice });
  }

  filled(fill: Fill): void {
    const instance = this.#instances.get(fill.marketId) ?? null;
    this.#append({ kind: 'fill', runId: this.#options.runId, instance, fill });
  }

  resolved(marketId: MarketId, at: Micros, resolution: Resolution): void {
    this.#append({ kind: 'resolved', at, marketId, resolution });
  }

  reversed(marketId: MarketId, at: Micros): void {
    this.#append({ kind: 'resolved', at, marketId, resolution: null });
  }

  /** Called with every beat: what could not be written is written now. */
  review(): void {
    if (this.#text !== '') this.#failures.attempt(() => this.#flush());
  }

  close(): void {
    this.review();
    this.#close();
  }

  #close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }

  #append(line: BookLine): void {
    this.#text += lineOf(line);
    this.review();
  }

  #flush(): void {
    const { path } = this.#options;
    if (!existsSync(path)) this.#close();
    this.#file ??= openSync(path, 'a', 0o600);
    writeBytes(this.#file, Buffer.from(this.#text));
    this.#text = '';
  }
}

/** The line feed in front ends a line that a crash left incomplete. */
const lineOf = (line: BookLine): string => `\n${JSON.stringify(line)}`;

/** The venue of the account is gone, with all that was held there. @throws an error of the file system */
export function emptyHoldings(path: string): void {
  if (!existsSync(path)) return;
  const file = openSync(path, 'a', 0o600);
  try {
    writeBytes(file, Buffer.from(lineOf({ kind: 'emptied' })));
  } finally {
    closeSync(file);
  }
}

const LINE = z.union([
  z.looseObject({ kind: z.enum(['fill', 'resolved', 'emptied']) }),
  z.looseObject({ kind: z.enum(['held', 'moved']), currency: z.string() }),
]);

/** The lines in the order in which they were written, and how many cannot be read. */
export async function readBooks(
  path: string,
): Promise<{ readonly lines: readonly BookLine[]; readonly unread: number }> {
  const lines: BookLine[] = [];
  let unread = 0;
  if (!existsSync(path)) return { lines, unread };
  for await (const text of createInterface({ input: createReadStream(path, 'utf8') })) {
    if (text === '') continue;
    try {
      lines.push(LINE.parse(JSON.parse(text)) as unknown as BookLine);
    } catch {
      unread += 1;
    }
  }
  return { lines, unread };
}
