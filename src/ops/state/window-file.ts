/** What counts in the guards' windows, on the disk: a bot that dies in the middle of a run of fills goes on counting. */
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

/** Beyond this, and twice what still counts, the file is written anew. */
const FULL_BYTES = 1_048_576;

/** A person resumed, or the venue that it was learned of is gone. */
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
  /** For how long a fill may count. */
  readonly keepMs: number;
}

/**
 * One line for everything that counts, in the kernel before the engine goes on, and from time to time what counts no more
 * left out. A line that cannot be read, be it one that a crash cut short, counts for nothing.
 */
export class WindowFile implements Pick<EngineObserver, 'counted'> {
  /** What runs before counted. */
  readonly found: Pick<Windows, 'fills' | 'markOuts'>;
  readonly #options: WindowFileOptions;
  readonly #memory: WindowMemory;
  readonly #failures: RetriedWrite;
  /** null: the file is not as it should be, and is to be written anew. */
  #file: number | null = null;
  #bytes = 0;
  #fullBytes = 0;

  /** @throws an error of the file system, but for a file that is not there */
  constructor(options: WindowFileOptions) {
    const { path, clock, logger, keepMs } = options;
    this.#options = options;
    this.#memory = new WindowMemory(keepMs);
    const what = 'what the guards count cannot be written down; a restart would forget it';
    this.#failures = new RetriedWrite((error) => logger.error(what, { path, err: error }));
    this.#read(textOf(path) ?? '');
    this.found = this.#memory.windows(clock.now());
  }

  /** What is lost where so much was written down durably. */
  lossesSince(noted: readonly KeptLoss[]): readonly KeptLoss[] {
    return this.#memory.lossesSince(noted);
  }

  counted(news: WindowNews): void {
    this.#memory.note(news);
    const file = this.#file;
    if (file === null) return this.review();
    const line = lineOf(news);
    if (this.#failures.attempt(() => writeWhole(file, line))) this.#bytes += line.length;
    else this.close();
  }

  /** Called with every beat: mends what could not be written, and shortens what has become long. */
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
    // Behind the last line feed is nothing, or what a crash cut short.
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

/** A disk that fills up takes a part without a word: half a line would spoil the next one, too. */
function writeWhole(file: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written);
}

/** A clock was set back since: what lies ahead comes so much earlier that nothing does, in the order that it has. */
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
