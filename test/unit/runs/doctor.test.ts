import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { accountId } from '../../../src/domain/ids.js';
import { accountPaths } from '../../../src/ops/state/account-folder.js';
import { failure, fine, warning, worstOf } from '../../../src/runs/doctor/finding.js';
import { diskFindings, nodeFinding, stateFindings } from '../../../src/runs/doctor/machine.js';
import { limitsFinding, signingVerdict } from '../../../src/runs/doctor/venue.js';
import { SystemClock } from '../../../src/storage/clocks/system-clock.js';
import { LatchFile } from '../../../src/storage/state/latch-file.js';
import { scratchFolder } from '../../support/disk/scratch-folder.js';

describe('a doctor', () => {
  it.each([
    ['20.19.0', 'ok'],
    ['20.18.9', 'failure'],
    ['18.20.0', 'failure'],
    ['24.0.0', 'ok'],
  ])('finds Node %s %s', (found, state) => {
    expect(nodeFinding(found).state).toBe(state);
  });

  it('finds a folder that cannot be written, and says where there is room', () => {
    const stateDir = scratchFolder();
    expect(diskFindings(stateDir, new SystemClock()).map(({ name }) => name)).toEqual(['disk', 'sync']);
    const file = join(stateDir, 'file');
    writeFileSync(file, '');
    expect(diskFindings(join(file, 'below'), new SystemClock())).toMatchObject([
      { name: 'disk', state: 'failure' },
    ]);
  });

  it('finds a latched kill switch', () => {
    const settings = { stateDir: scratchFolder(), currencyMode: 'play_money', venue: null } as const;
    const paths = accountPaths(settings, { baseUrl: 'http://127.0.0.1:1', publicKey: 'pk' }, accountId(1));
    expect(stateFindings([paths]).map(({ state }) => state)).toEqual(['ok', 'ok']);
    new LatchFile(paths.kill).raise({ reason: 'by hand', at: '2026-01-01T00:00:00Z' });
    const found = stateFindings([paths]);
    expect(found.find(({ name }) => name === 'latch')).toMatchObject({
      state: 'failure',
      text: expect.stringContaining('by hand'),
    });
  });

  it('says which way of signing the venue takes', () => {
    expect(signingVerdict('python', ['python'])).toMatchObject({ state: 'ok' });
    expect(signingVerdict('python', ['json'])).toMatchObject({
      state: 'failure',
      advice: 'set signing.nested: json',
    });
    expect(signingVerdict('python', [])).toMatchObject({ state: 'failure' });
    expect(signingVerdict('python', ['json'], ['python'])).toMatchObject({ state: 'warning' });
    expect(signingVerdict('python', [], ['json'])).toMatchObject({ state: 'warning' });
  });

  it('repeats what answers say of an allowance', () => {
    const answered = (headers: object) =>
      [{ result: { kind: 'answered', status: 200, headers, body: '' } }] as never;
    expect(limitsFinding(answered({ date: 'x' })).text).toContain('no header');
    expect(limitsFinding(answered({ 'x-ratelimit-limit': '2000' })).text).toContain(
      'x-ratelimit-limit: 2000',
    );
  });

  it('is as bad as its worst finding', () => {
    expect(worstOf([])).toBe('ok');
    expect(worstOf([fine('a', ''), warning('b', '', '')])).toBe('warning');
    expect(worstOf([failure('a', '', ''), warning('b', '', '')])).toBe('failure');
  });
});
