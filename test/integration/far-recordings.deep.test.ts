/** Recordings with nothing between them for long: time passes there as elsewhere, and whoever waits is heard. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type BacktestOptions, runBacktest } from '../../src/runs/backtest/run-backtest.js';
import { setupOf } from '../../src/runs/backtest/backtest-setup.js';
import { Interrupted } from '../../src/runs/interruption.js';
import { MergedRecordings } from '../../src/runs/backtest/merged-recordings.js';
import { loadBotSettings } from '../../src/settings/index.js';
import { openRecording } from '../../src/storage/index.js';
import { type Level, linesOfMarket, recordingOf } from '../support/tape/neutral-lines.js';
import { ROOT } from '../support/project/small-house.js';
import { backtest, expectRefusal } from '../support/screen/told-command.js';

const DAY = 86_400_000;
const BIDS: readonly Level[] = [[0.5, 10]];
const ASKS: readonly Level[] = [[0.6, 10]];
const { book } = linesOfMarket(3001);

/** Twenty books from a day on. */
const booksFrom = (days: number): readonly string[] =>
  Array.from({ length: 20 }, (_, second) => book(days * DAY + second * 1_000, BIDS, ASKS));

const apart = (days: number): readonly string[] => [
  recordingOf(booksFrom(0), 'early.ndjson'),
  recordingOf(booksFrom(days), 'late.ndjson'),
];

const optionsOf = (
  recordings: readonly string[],
  ...overrides: readonly string[]
): Pick<BacktestOptions, 'settings' | 'source'> =>
  loadBotSettings(join(ROOT, 'config/backtest.yaml'), {}, [
    `backtest.recordings=${JSON.stringify(recordings)}`,
    'backtest.markets=recorded',
    ...overrides,
  ]);

/** A strategy that looks at the time: it is asked every second. */
const TIMED = ['instances.rain.strategy=avellaneda-stoikov', 'instances.rain.params={}'];

describe('recordings some weeks apart', () => {
  it('are one run, in which the time between them costs nothing where nobody looks at it', async () => {
    let inputs = 0;
    const watch = () => ({ took: () => void (inputs += 1) });
    await runBacktest({ ...optionsOf(apart(29)), watch });
    expect(inputs).toBeLessThan(1_000);
  });

  it('are one run, in which whoever stops it is heard between them', async () => {
    const stop = new AbortController();
    let [told, inputs] = [0, 0];
    const onProgress = (done: number, all: number): void => {
      // Some way into the time between them: forty rows bring no thousand inputs.
      if (done < all && inputs > 1_000) told += 1;
      if (told === 3) stop.abort(new Interrupted('heard'));
    };
    const watch = () => ({ took: () => void (inputs += 1) });
    const running = runBacktest({ ...optionsOf(apart(29), ...TIMED), onProgress, watch, stop: stop.signal });
    await expect(running).rejects.toThrow('heard');
    expect(told).toBe(3);
  });
});

describe('recordings of an event a day', () => {
  const dayOf = (day: number): string => {
    const { book, resolved } = linesOfMarket(3001 + day, 300 + day);
    const books = Array.from({ length: 20 }, (_, second) => book(day * DAY + second * 1_000, BIDS, ASKS));
    return recordingOf([...books, resolved(day * DAY + 20_000, 'long')], `day-${day}.ndjson`);
  };

  const inputsOf = async (days: number): Promise<number> => {
    let inputs = 0;
    const watch = () => ({ took: () => void (inputs += 1) });
    await runBacktest({ ...optionsOf(Array.from({ length: days }, (_, day) => dayOf(day))), watch });
    return inputs;
  };

  it('cost a day what a day costs, however many have been and are to come', async () => {
    const [few, many] = [await inputsOf(3), await inputsOf(12)];
    const days = (12 - 1) / (3 - 1);
    expect(many).toBeLessThan(1.1 * days * few);
  });
});

describe('recordings years apart', () => {
  it('are refused with their names, how far they are apart and what to do', async () => {
    const told = await backtest(apart(1_461), 'backtest.markets=recorded');
    expectRefusal(
      told,
      /late\.ndjson: begins 1,460 days after \S*early\.ndjson ends; .* at most 30 days without a row; .*--each/u,
    );
  });

  it('are refused where they stand in one file, at the line', async () => {
    const merged = recordingOf([...booksFrom(0), ...booksFrom(200)]);
    const told = await backtest([merged], 'backtest.markets=recorded');
    expectRefusal(told, /recording\.ndjson:21: comes 199 days after the row before it; .*tape cut/u);
  });

  it('are no matter where another recording tells of the time between', async () => {
    const other = linesOfMarket(3002);
    const between = [1, 20, 39].map((day) => other.book(day * DAY, BIDS, ASKS));
    const files = [recordingOf([...booksFrom(0), ...booksFrom(40)]), recordingOf(between, 'other.ndjson')];
    const { settings } = optionsOf(files);
    const opened = await Promise.all(files.map((file) => openRecording(file)));
    const { markets } = setupOf(settings, settings.backtest!, opened);
    let rows = 0;
    for await (const { from, to } of new MergedRecordings(opened, markets).ranges()) rows += to - from;
    expect(rows).toBe(43);
  });
});
