import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Micros } from '../../../../src/domain/units.js';
import { readRunFile, type RunFile, writeRunFile } from '../../../../src/storage/recordings/run-file.js';
import { scratchFolder } from '../../../support/disk/scratch-folder.js';

const RUN: RunFile = {
  kind: 'oddsmith-run',
  version: 1,
  runId: '20260701-142233-9f3a1c',
  mode: 'live',
  program: '0.1.0',
  startedAt: 1 as Micros,
  endedAt: null,
  outcome: null,
  configFile: '/etc/bot.yaml',
  overrides: [],
  seed: 7,
  configuration: { seed: 7 },
  strategies: [],
  inputs: [],
  decisions: null,
};

describe('run.json', () => {
  test('comes back as it was written, and the same run is the same bytes', () => {
    const folder = scratchFolder();
    writeRunFile(folder, RUN);
    const bytes = readFileSync(join(folder, 'run.json'), 'utf8');
    expect(readRunFile(folder)).toEqual(RUN);
    writeRunFile(folder, RUN);
    expect(readFileSync(join(folder, 'run.json'), 'utf8')).toBe(bytes);
  });

  test.each([
    ['nothing', null, /cannot be read \(ENOENT\); expected the folder of a run/],
    ['half a file', '{"kind":"oddsm', /is no JSON object/],
    ['another file', '{"kind":"other"}', /does not describe a run/],
    ['a later version', '{"kind":"oddsmith-run","version":2}', /version 2; this program reads version 1/],
  ])('%s is refused with what was expected', (_what, text, message) => {
    const folder = scratchFolder();
    if (text !== null) writeFileSync(join(folder, 'run.json'), text);
    expect(() => readRunFile(folder)).toThrow(message);
  });
});
