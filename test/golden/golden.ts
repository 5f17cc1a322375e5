/**
 * Runs every golden run and compares it with `golden.json`, decision by decision: `npm run golden -- OPTIONS`.
 * `--write` records them anew, `--only WORD` takes the jobs with the word in their name, `--keep FOLDER` leaves the
 * decisions of each run there as text, `--root FOLDER` runs another checkout, which must be built.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Job, JOBS, type Outcome } from './runs.js';

interface Recorded {
  readonly decisions: number;
  readonly hash: string;
  readonly fills: number;
  readonly profit: number;
  /** Four digits of the hash of each decision: the first one that differs is found without an old build. */
  readonly lines: string;
}

const FILE = join(import.meta.dirname, 'golden.json');
const DIGITS = 4;
const WORKERS = 2;

/** @returns the exit code: 0 all runs are as they were recorded, 1 one differs */
export async function golden(args: readonly string[]): Promise<number> {
  const { values: options } = parseArgs({
    args: [...args],
    options: {
      write: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      keep: { type: 'string' },
      root: { type: 'string', default: join(import.meta.dirname, '../..') },
    },
  });
  const data = resolve(process.env['MARKET_DATA_DIR'] ?? join(import.meta.dirname, '../../../shared/data'));
  const chosen = JOBS.filter(({ name }) => name.includes(options.only));
  const isPossible = ({ needsData }: Job): boolean => needsData !== true || existsSync(data);
  const skipped = chosen.filter((job) => !isPossible(job));
  for (const { name } of skipped)
    console.log(`SKIPPED  ${name}: there is no recorded market data in ${data}`);
  const comparison = new Comparison(recorded(), options);
  const waiting = chosen.filter(isPossible);
  const work = async (): Promise<void> => {
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
      try {
        for (const outcome of await job.run({ root: resolve(options.root), data }))
          comparison.settle(outcome);
      } catch (error) {
        comparison.fail(job.name, error instanceof Error ? error.message : String(error));
      }
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, work));
  return comparison.end(skipped.length);
}

const recorded = (): Record<string, Recorded> =>
  existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, Recorded>) : {};

class Comparison {
  readonly #found: Record<string, Recorded> = {};
  #differing = 0;

  constructor(
    private readonly recorded: Readonly<Record<string, Recorded>>,
    private readonly options: { readonly write: boolean; readonly keep?: string | undefined },
  ) {}

  settle(outcome: Outcome): void {
    const { name, lines } = outcome;
    const found = recordOf(outcome);
    this.#found[name] = found;
    if (this.options.keep !== undefined) keep(this.options.keep, name, lines);
    const difference = this.options.write ? null : differenceOf(this.recorded[name], found, lines);
    if (difference !== null) return this.fail(name, difference);
    const { decisions, hash, fills, profit } = found;
    console.log(`ok       ${name}: ${decisions} decisions, ${hash}, ${fills} fills, profit ${profit}`);
  }

  fail(name: string, why: string): void {
    this.#differing += 1;
    console.log(`DIFFERS  ${name}: ${why}`);
  }

  /** @returns the exit code */
  end(skipped: number): number {
    if (this.options.write) this.#write();
    const total = Object.keys(this.#found).length;
    console.log(`${total} runs, ${this.#differing} differ${skipped > 0 ? `, ${skipped} jobs SKIPPED` : ''}`);
    return this.#differing > 0 || total === 0 ? 1 : 0;
  }

  /** What was not run stays as it was recorded. */
  #write(): void {
    const all = Object.entries({ ...this.recorded, ...this.#found }).toSorted(([a], [b]) => (a < b ? -1 : 1));
    writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
  }
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

function recordOf({ lines, fills, profit }: Outcome): Recorded {
  return {
    decisions: lines.length,
    hash: hashOf(lines.join('\n')).slice(0, 16),
    fills,
    profit,
    lines: lines.map((line) => hashOf(line).slice(0, DIGITS)).join(''),
  };
}

/** @returns null: all is as it was recorded */
function differenceOf(was: Recorded | undefined, is: Recorded, lines: readonly string[]): string | null {
  if (was === undefined) return 'it was never recorded';
  const outcomes = `${is.fills} fills instead of ${was.fills}, profit ${is.profit} instead of ${was.profit}`;
  if (was.hash !== is.hash) {
    const digest = (digests: string, at: number): string => digests.slice(at * DIGITS, (at + 1) * DIGITS);
    const first = lines.findIndex((_, at) => digest(was.lines, at) !== digest(is.lines, at));
    const at = first < 0 ? Math.min(was.decisions, is.decisions) : first;
    return `${is.decisions} decisions instead of ${was.decisions}, ${outcomes}; the first that differs is decision ${at + 1}, now
         ${lines[at] ?? '(none)'}`;
  }
  return was.fills === is.fills && was.profit === is.profit ? null : `the same decisions, but ${outcomes}`;
}

function keep(folder: string, name: string, lines: readonly string[]): void {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name.replaceAll(/\W+/g, '-')}.ndjson`);
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
}
