import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeResultTable } from '../../../../src/runs/sweep/result.js';
import { scratchFolder } from '../../../support/disk/scratch-folder.js';

const NOTHING = { parameters: [], candidates: [], pieces: [] } as never;

describe('the table of a sweep', () => {
  it('is for its owner alone to read, as all that is kept', async () => {
    const folder = scratchFolder();
    await writeResultTable(join(folder, 'sweep.parquet'), NOTHING);
    expect(readdirSync(folder)).toEqual(['sweep.parquet']);
    expect(statSync(join(folder, 'sweep.parquet')).mode & 0o777).toBe(0o600);
  });

  it('leaves nothing beside it when it cannot be written', async () => {
    const folder = scratchFolder();
    mkdirSync(join(folder, 'sweep.parquet'));
    await expect(writeResultTable(join(folder, 'sweep.parquet'), NOTHING)).rejects.toThrow(/EISDIR/);
    expect(readdirSync(folder)).toEqual(['sweep.parquet']);
  });
});
