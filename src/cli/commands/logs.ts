/** `oddsmith logs`: what a running bot logged, and what it logs from now on. */
import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readSync,
  statSync,
  unwatchFile,
  watchFile,
} from 'node:fs';
import { join } from 'node:path';
import { EXIT, type ExitCode } from '../../domain/errors.js';
import { afterDelay } from '../../storage/clocks/system-clock.js';
import { print, remark } from '../output.js';
import { ask, find, noticeLine, WATCH_EVERY_MS } from './live.js';

export interface LogArguments {
  readonly paper: boolean;
  readonly follow: boolean;
  readonly lines: number;
}

/** The last lines of the log file of the run; where it has none, what the bot said of late. */
export async function showLog(file: string, given: LogArguments): Promise<ExitCode> {
  const { settings, bot } = find(file, given);
  const path = settings.log.file ?? join(settings.stateDir, 'logs', `${bot.running.runId}.log`);
  if (existsSync(path)) return followFile(path, given);
  remark('the bot writes its log to standard error, not to a file: this is what it said of late');
  let shown = 0;
  for (;;) {
    const { notices } = await ask(bot, 'status');
    const fresh = notices.filter(({ at }) => at > shown).toReversed();
    print(...fresh.slice(-given.lines).map(noticeLine));
    shown = Math.max(shown, ...notices.map(({ at }) => at));
    if (!given.follow) return EXIT.clean;
    await new Promise<void>((resolve) => void afterDelay(WATCH_EVERY_MS, resolve));
  }
}

const LOOK_EVERY_MS = 500;

async function followFile(path: string, { follow, lines }: LogArguments): Promise<ExitCode> {
  const file = new GrowingFile(path);
  try {
    print(...file.lines().slice(-lines));
    if (!follow) return EXIT.clean;
    await new Promise<void>((resolve) => {
      watchFile(path, { interval: LOOK_EVERY_MS }, () => print(...file.lines()));
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, resolve);
    });
    return EXIT.clean;
  } finally {
    unwatchFile(path);
    file.close();
  }
}

/** Of the end of a file, where its last lines are looked for. */
const TAIL_BYTES = 1_048_576;
const NEWLINE = 0x0a;

/** A file that others write. One that got a number is read to its end, and then the one that took its name. */
export class GrowingFile {
  #file: number;
  #at: number;
  /** The begin of a line whose end is not there yet. */
  #rest = Buffer.alloc(0);

  /** @throws an error of the file system */
  constructor(private readonly path: string) {
    this.#file = openSync(path, 'r');
    this.#at = Math.max(0, fstatSync(this.#file).size - TAIL_BYTES);
  }

  /** Whole lines that were added since the last call; at first those at its end. */
  lines(): readonly string[] {
    const found = this.#more();
    const { ino, size } = fstatSync(this.#file);
    const now = statSync(this.path, { throwIfNoEntry: false });
    if (now === undefined || (now.ino === ino && size >= this.#at)) return found;
    closeSync(this.#file);
    this.#file = openSync(this.path, 'r');
    this.#at = 0;
    this.#rest = Buffer.alloc(0);
    return [...found, ...this.#more()];
  }

  close(): void {
    closeSync(this.#file);
  }

  #more(): readonly string[] {
    const bytes = Buffer.alloc(Math.max(0, fstatSync(this.#file).size - this.#at));
    const read = readSync(this.#file, bytes, 0, bytes.length, this.#at);
    this.#at += read;
    const all = Buffer.concat([this.#rest, bytes.subarray(0, read)]);
    const end = all.lastIndexOf(NEWLINE) + 1;
    this.#rest = all.subarray(end);
    return end === 0 ? [] : all.toString('utf8', 0, end - 1).split('\n');
  }
}
