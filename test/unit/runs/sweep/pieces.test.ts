import * as ids from '../../../../src/domain/ids.js';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { piecesOf, settingsFor } from '../../../../src/runs/sweep/pieces.js';
import { type BotSettings, loadBotSettings } from '../../../../src/settings/index.js';
import { openRecording, type RecordingSource } from '../../../../src/storage/index.js';
import { scratchFolder } from '../../../support/disk/scratch-folder.js';
import { ROOT } from '../../../support/project/small-house.js';

const DAY_MS = 86_400_000;

/** A recording with a book of each market at the given times. */
async function recorded(
  folder: string,
  name: string,
  markets: readonly (readonly [event: number, market: number])[],
  times: readonly number[],
): Promise<RecordingSource> {
  const file = join(folder, name);
  const lines = times.flatMap((t) =>
    markets.map(([event, market]) => ({ t, type: 'book', event, market, bid: [[0.4, 2]], ask: [[0.5, 2]] })),
  );
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return openRecording(file);
}

const timesOf = (pieces: Awaited<ReturnType<typeof piecesOf>>) =>
  pieces.map(({ event, from, to, rows }) => [event, from / 1_000, to / 1_000, rows]);

describe('pieces of recordings', () => {
  it('are events; files of one event stay together, and events that share a file', async () => {
    const folder = scratchFolder();
    const pieces = await piecesOf(
      await Promise.all([
        recorded(folder, 'a', [[1, 11]], [1_000, 2_000]),
        recorded(folder, 'b', [[2, 21]], [1_500]),
        recorded(folder, 'c', [[1, 12]], [3_000]),
        recorded(folder, 'd', [[3, 31], [2, 22]], [4_000]), // prettier-ignore
      ]),
      1,
    );
    expect(timesOf(pieces)).toEqual([
      ['1', 1_000, 3_000.001, 3],
      ['2+3', 1_500, 4_000.001, 3],
    ]);
  });

  it('are cut into equal parts of time, each known from its beginning, none of them overlapping', async () => {
    const one = await recorded(scratchFolder(), 'a', [[1, 11]], [0, 1_000, 3_000, 4_000]);
    expect(timesOf(await piecesOf([one], 2))).toEqual([
      ['1', 0, 2_000.001, 2],
      ['1', 2_000.001, 4_000.001, 3],
    ]);
  });

  it('are one piece of evidence when they share day and folder', async () => {
    const folder = scratchFolder();
    const sources = await Promise.all(
      [0, 1_000, DAY_MS].map((at, place) => recorded(folder, `${place}`, [[place + 1, place + 1]], [at])),
    );
    const clusters = (await piecesOf(sources, 1)).map(({ cluster }) => cluster);
    expect(clusters[0]).toMatch(/^1970-01-01 oddsmith-/);
    expect(clusters[1]).toBe(clusters[0]);
    expect(clusters[2]).toMatch(/^1970-01-02 oddsmith-/);
  });

  it('are about what the configuration says they are', async () => {
    const one = await recorded(scratchFolder(), 'one', [[1, 11]], [0]);
    const [piece] = await piecesOf([one], 1, new Map([['1', 'gold']]));
    expect(piece!.cluster).toBe('1970-01-01 gold');
  });
});

describe('settings for a piece', () => {
  it('have its events, its markets and the instances that quote them', async () => {
    const { settings } = loadBotSettings(join(ROOT, 'config', 'sweep.yaml'), {});
    const [event] = settings.events;
    const [market] = event!.markets;
    const [instance] = settings.instances;
    const wider: BotSettings = {
      ...settings,
      events: [
        event!,
        { ...event!, id: ids.eventId(301), markets: [{ ...market!, id: ids.marketId(3_011) }] },
      ],
      instances: [
        { ...instance!, markets: [ids.marketId(3_001), ids.marketId(3_011)] },
        { ...instance!, name: 'other', markets: [ids.marketId(3_001)] },
      ],
    };
    const one = await recorded(scratchFolder(), 'a', [[301, 3_011]], [0]);
    const own = settingsFor(wider, (await piecesOf([one], 1))[0]!);
    expect(own.events.map(({ id }) => id)).toEqual(['301']);
    expect(own.instances.map(({ name, markets }) => [name, markets])).toEqual([[instance!.name, ['3011']]]);
    expect(own.backtest!.recordings).toEqual(['a']);
  });
});
