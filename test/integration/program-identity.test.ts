/** Which program it is, as a build says it and as its sources do. */
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { programIdentity, programVersion } from '../../src/app/program-version.js';
import { importRecordings } from '../../src/cli/commands/tape/change.js';
import { surveyTape } from '../../src/tape/index.js';
import { linesOfMarket, recordingOf } from '../support/neutral-lines.js';
import { scratchFolder } from '../support/scratch-folder.js';
import { ran } from '../support/told-command.js';

it('names the code beside the version, the same from the build and from the sources that it was made of', () => {
  const built = pathToFileURL(resolve('dist/src/app/program-version.js')).href;
  const script = `import { programIdentity } from ${JSON.stringify(built)}; process.stdout.write(programIdentity());`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect(programIdentity()).toBe(stdout);
  expect(stdout).toMatch(new RegExp(`^${programVersion().replaceAll('.', '\\.')}\\+[0-9a-f]{12}$`));
});

it('is what a tape names that was made of recordings', async () => {
  const out = join(scratchFolder(), 'tape');
  await ran(() =>
    importRecordings([recordingOf([linesOfMarket(3001).book(0, [[0.5, 10]], [[0.6, 10]])])], { out }),
  );
  const { heads } = await surveyTape(out);
  expect(heads.map(({ program }) => program)).toEqual([programIdentity()]);
});
