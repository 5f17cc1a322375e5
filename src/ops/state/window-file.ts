/** Keeps the windows of the guards on disk, so that a restarted bot goes on counting fills. */
import { closeSync, constants, existsSync, openSync, rmSync, writeSync } from 'node:fs';
import { z } from 'zod';
import { eventId, marketId, orderId } from '../../domain/ids.js';
import type { Micros, Money, Shares } from '../../domain/units.js';
import { POSITIONS, SIDES } from '../../domain/vocabulary.js';
import type { EngineObserver } from '../../core/engine/observing/observer.js';
import type { Clock } from '../../core/ports/clock.js';
import type { Logger } from '../../core/ports/logger.js';
import { type KeptLoss, WindowMemory, type WindowNews, type Windows } from '../../core/risk/index.js';
import { replaceFile } from '../../storage/files/whole-files.js';
import { LOSSES, textOf } from './risk-file.js';
import { RetriedWrite } from './retried-write.js';

const MARKET = z.union([z.int(), z.string()]).transform(marketId);
const MOMENT = z.int().transform((at) => at as Micros);
const FILL = z.object({
  at: MOMENT,
  eventId: z.union([z.int(), z.string()]).transform(eventId),
  marketId: MARKET,
  side: z.enum(SIDES),
  position: z.enum(POSITIONS),
  shares: z.int().transform((shares) => shares as Shares),
  amount: z.int().transform((amount) => amount as Money),
  orderId: z.union([z.int(), z.string()]).transform(orderId).optional(),
  fills: z.int().min(0).optional(),
});
const COUNT = z.object({
  marketId: MARKET,
  through: MOMENT,
  fills: z.int(),
  shares: z.number(),
  gained: z.number(),
});
const NEWS = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('fill'), fill: FILL }),
  z.object({ kind: z.literal('mark-out'), count: COUNT }),
  z.object({ kind: z.literal('losses'), noted: LOSSES, losses: LOSSES }),
  z.object({ kind: z.literal('forgotten') }),
]);

/** The file is rewritten when it exceeds this and twice the lines that still count. */
const FULL_BYTES = 1_048_576;

/** Removes the file: a person resumed, or its venue is gone. */
export function forgetWindows(path: string): void {
  rmSync(path, { force: true });
}

function momentOf(news: WindowNews): number {
  if (news.kind === 'fill') return news.fill.at;
  return news.kind === 'mark-out' ? news.count.through : 0;
}

export interface WindowFileOptions {
  readonly path: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Logger;
  /** Longest time for which a fill counts. */
  readonly keepMs: number;
}

/**
 * Appends one line for each fill and mark-out before the engine goes on. Lines that count no more are removed from time to
 * time. An unreadable line, such as one that a crash left incomplete, is ignored.
 */
export class WindowFile implements Pick<EngineObserver, 'counted'> {
  /** Counts of earlier runs. */
  readonly found: Pick<Windows, 'fills' | 'markOuts'>;
  readonly #options: WindowFileOptions;
  readonly #memory: WindowMemory;
  readonly #failures: RetriedWrite;
  /** null: the file is damaged and has to be rewritten. */
  #file: number | null = null;
  #bytes = 0;
  #fullBytes = 0;

  /** @throws an error of the file system, except for a missing file */
  constructor(options: WindowFileOptions) {
    const { path, clock, logger, keepMs } = options;
    this.#options = options;
    this.#memory = new WindowMemory(keepMs);
    const what = 'what the guards count cannot be written down; a restart would forget it';
    this.#failures = new RetriedWrite((error) => logger.error(what, { path, err: error }));
    this.#read(textOf(path) ?? '');
    this.found = this.#memory.windows(clock.now());
  }

  /** Losses that were synced to disk. */
  lossesSince(noted: readonly KeptLoss[]): readonly KeptLoss[] {
    return this.#memory.lossesSince(noted);
  }

  /** As {@link WindowMemory.keep}. */
  keep(keepMs: number): void {
    this.#memory.keep(keepMs);
  }

  counted(news: WindowNews): void {
    this.#memory.note(news);
    const file = this.#file;
    if (file === null) return this.review();
    const line = lineOf(news);
    if (this.#failures.attempt(() => writeWhole(file, line))) this.#bytes += line.length;
    else this.close();
  }

  /** Called with every beat. Repeats failed writes and shortens a long file. */
  review(): void {
    const isThere = this.#file !== null && existsSync(this.#options.path);
    if (!isThere || this.#bytes > this.#fullBytes) this.#failures.attempt(() => this.#writeAnew());
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }

  #read(text: string): void {
    const lines = text.split('\n').map(newsIn);
    // The last line feed is followed by nothing, or by a line that a crash left incomplete.
    const unread = lines.slice(0, -1).filter((news) => news === null).length;
    const all = lines.filter((news) => news !== null);
    notAhead(all, this.#options.clock.now()).forEach((news) => this.#memory.note(news));
    if (unread === 0) return;
    const { path, logger } = this.#options;
    const what = 'lines of what the guards counted cannot be read: fills in them count no more';
    logger.warn(what, { path, lines: unread });
  }

  #writeAnew(): void {
    const { path, clock } = this.#options;
    this.close();
    const text = this.#memory.news(clock.now()).map(lineOf).join('');
    replaceFile(path, text);
    this.#file = openSync(path, constants.O_WRONLY | constants.O_APPEND);
    this.#bytes = text.length;
    this.#fullBytes = Math.max(FULL_BYTES, 2 * text.length);
  }
}

/** A full disk may take a part of a line without an error. That part would spoil the next line too. */
function writeWhole(file: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written);
}

/** After a clock was set back, times in the future are moved so that the last one is now. Their order stays. */
function notAhead(all: readonly WindowNews[], now: Micros): readonly WindowNews[] {
  const excess = all.reduce((most, news) => Math.max(most, momentOf(news) - now), 0);
  const earlier = (at: Micros): Micros => (at > now ? at - excess : at) as Micros;
  if (excess === 0) return all;
  return all.map((news) => {
    if (news.kind === 'fill') return { ...news, fill: { ...news.fill, at: earlier(news.fill.at) } };
    if (news.kind !== 'mark-out') return news;
    return { ...news, count: { ...news.count, through: earlier(news.count.through) } };
  });
}

const lineOf = (news: WindowNews): string => `${JSON.stringify(news)}\n`;

function newsIn(line: string): WindowNews | null {
  try {
    return NEWS.parse(JSON.parse(line));
  } catch {
    return null;
  }
}
