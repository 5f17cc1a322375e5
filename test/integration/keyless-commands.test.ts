import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { checkConfiguration } from '../../src/cli/commands/config.js';
import { backtestConfiguration } from '../../src/cli/commands/backtest.js';
import { sweepConfiguration } from '../../src/cli/commands/sweep.js';
import { scratchFolder } from '../support/disk/scratch-folder.js';
import { ROOT } from '../support/project/small-house.js';
import { ran } from '../support/screen/told-command.js';

const VENUE = `venue:
  baseUrl: https://venue.example.org
  realtime: { key: abc, cluster: us2 }
  publicKey: pk
  privateKey: \${UNSET_KEY_OF_A_TEST}
`;

/** A bundled file, with a venue whose key nobody has here. */
function withVenue(name: string): string {
  const file = join(scratchFolder(), name);
  const text = readFileSync(join(ROOT, 'config', name), 'utf8').replaceAll(
    'recordings/',
    `${join(ROOT, 'config', 'recordings')}/`,
  );
  writeFileSync(file, `${VENUE}${text}`);
  return file;
}

const GIVEN = { set: ['report.write=false'], json: true, threads: 1 };

describe('without the keys of the venue', () => {
  beforeEach(() => void vi.spyOn(process.stderr, 'write').mockReturnValue(true));
  afterEach(() => void vi.restoreAllMocks());

  it('a file is checked, and what is not set is a remark', async () => {
    const told = await ran(() => checkConfiguration(withVenue('backtest.yaml')));
    expect(told.text).toMatch(
      /venue\.privateKey: the environment variable UNSET_KEY_OF_A_TEST is not set; what goes to the account needs it/,
    );
    expect(told.code).toBe(0);
  });

  it('a backtest runs', async () => {
    const told = await ran(() => backtestConfiguration(withVenue('backtest.yaml'), GIVEN));
    expect(told.text).toContain('"runId":"bt-');
    expect(told.code).toBe(0);
  });

  it('a sweep runs', async () => {
    const out = join(scratchFolder(), 'out');
    const set = ['sweep.parameters={"instances.rain.params.halfSpread":[0.02,0.03]}', `stateDir=${out}`];
    const told = await ran(() => sweepConfiguration(withVenue('sweep.yaml'), { ...GIVEN, set, out }));
    expect(told.text).not.toContain('is not set');
    expect(told.code).toBe(0);
  });
});
