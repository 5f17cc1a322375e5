/** A screen beside the engine on the recording that ships with the project. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runScreenedSweep, type ScreenedSweep } from '../../src/runs/screen/screened-sweep.js';
import { ROOT } from '../support/project/small-house.js';

const folder = mkdtempSync(join(tmpdir(), 'screen-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('sweep --screen', () => {
  let result: ScreenedSweep;
  let file: string;

  beforeAll(async () => {
    ({ result, file } = await runScreenedSweep({
      file: join(ROOT, 'config', 'sweep.yaml'),
      environment: {},
      overrides: [
        'sweep.windows=2',
        'sweep.parameters={ instances.rain.params.halfSpread: [0.005, 0.02, 0.03, 0.2], instances.rain.params.shares: [10] }',
      ],
      out: folder,
      threads: 1,
      confirm: 3,
      stop: new AbortController().signal,
      onNews: () => undefined,
      onProgress: () => undefined,
    }));
  }, 60_000);

  it('screens all, confirms the best and the file as it is, best first', () => {
    expect([result.screened, result.confirmed, result.rows.length]).toEqual([4, 3, 5]);
    expect(result.rows.map(({ engine }) => engine !== null)).toEqual([true, true, true, false, true]);
    const profits = result.rows.slice(0, -1).map(({ screen }) => screen[result.headline]);
    expect(profits).toEqual(profits.toSorted((a, b) => b - a));
    expect(result.rows.at(-1)!.params).toEqual({});
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(result);
  });

  it('agrees with the engine', () => {
    for (const scenario of ['pessimistic', 'expected', 'optimistic'] as const)
      expect(result.profitCorrelation[scenario], scenario).toBeGreaterThan(0.95);
  });

  it('is the engine where nothing ever trades near us', () => {
    const far = result.rows.find(({ params }) => params['instances.rain.params.halfSpread'] === 0.2)!;
    expect(far.engine).not.toBeNull();
    expect(far.screen).toEqual(far.engine);
  });
});
