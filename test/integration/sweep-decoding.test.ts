import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { runSweep, type SweepOptions } from '../../src/runs/sweep/run-sweep.js';
import type * as Neutral from '../../src/storage/recordings/neutral.js';
import { scratchFolder } from '../support/disk/scratch-folder.js';
import { ROOT } from '../support/project/small-house.js';

const decodings = vi.hoisted(() => ({ begun: 0 }));

vi.mock('../../src/storage/recordings/neutral.js', async (original) => {
  const neutral = await original<typeof Neutral>();
  const decodeRecording: typeof neutral.decodeRecording = (file) => {
    decodings.begun += 1;
    return neutral.decodeRecording(file);
  };
  return { ...neutral, decodeRecording };
});

const inputs = (folder: string, halfSpreads: readonly string[]): SweepOptions => ({
  file: join(folder, 'sweep.yaml'),
  environment: {},
  overrides: [
    `sweep.parameters={ instances.rain.params.halfSpread: ${JSON.stringify(halfSpreads)} }`,
    'sweep.windows=2',
  ],
  out: scratchFolder(),
});

/** A folder with the configuration and its recording. */
function copied(): string {
  const folder = scratchFolder();
  cpSync(join(ROOT, 'config', 'sweep.yaml'), join(folder, 'sweep.yaml'));
  cpSync(join(ROOT, 'config', 'recordings'), join(folder, 'recordings'), { recursive: true });
  return folder;
}

describe('the recording of a sweep', () => {
  beforeEach(() => {
    decodings.begun = 0;
  });

  it.each([
    [['0.02'], 2],
    [['0.01', '0.02', '0.03'], 6],
  ])('is decoded once, whatever the number of runs: half-spreads %j', async (halfSpreads, backtests) => {
    const onPlan = vi.fn<NonNullable<SweepOptions['onPlan']>>();
    await runSweep({ ...inputs(copied(), halfSpreads), onPlan });
    expect(onPlan).toHaveBeenCalledExactlyOnceWith(backtests, 0);
    expect(decodings.begun).toBe(1);
  });

  it('is decoded again for each backtest where it is too large to be held, to the same result', async () => {
    const given = inputs(copied(), ['0.02']);
    const onNews = vi.fn<NonNullable<SweepOptions['onNews']>>();
    const large = await runSweep({ ...given, keptMost: 0, onNews });
    expect(decodings.begun).toBe(2 + 2);
    expect(onNews).toHaveBeenCalledExactlyOnceWith(
      expect.stringMatching(
        /synthetic-rain\.ndjson\.gz is too large to be held: each backtest decodes it again$/,
      ),
    );
    expect((await runSweep({ ...given, out: scratchFolder() })).result).toEqual(large.result);
  });

  it('is decoded by none of its threads: it may be gone when they begin', async () => {
    const built = (await import(join(ROOT, 'dist/src/runs/sweep/run-sweep.js'))) as {
      runSweep: typeof runSweep;
    };
    const folder = copied();
    const onPlan = (): void => rmSync(join(folder, 'recordings', 'synthetic-rain.ndjson.gz'));
    const { result } = await built.runSweep({ ...inputs(folder, ['0.02']), threads: 2, onPlan });
    expect(result.candidates[0]!.profits).toHaveLength(2);
  });
});
