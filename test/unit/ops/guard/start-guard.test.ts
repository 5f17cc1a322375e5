import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runGuard } from '../../../../src/ops/guard/start-guard.js';
import { UsageError } from '../../../../src/domain/errors.js';
import { SystemClock } from '../../../../src/storage/clocks/system-clock.js';
import { loadBotSettings } from '../../../../src/settings/index.js';
import { scratchFolder } from '../../../support/disk/scratch-folder.js';

it('a guard that may not write its files says which, and what to do', async () => {
  const stateDir = join(scratchFolder(), 'state');
  writeFileSync(stateDir, 'no folder');
  const { settings } = loadBotSettings('config/local.yaml', { ODDSMITH_PRIVATE_KEY: 'sk_maker' });
  const run = runGuard({
    settings: { ...settings, stateDir },
    file: 'local.yaml',
    clock: new SystemClock(),
    tell: () => undefined,
    signal: AbortSignal.abort(),
  });
  const failure: unknown = await run.catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(UsageError);
  expect((failure as Error).message).toMatch(
    /^a guard does not begin without its files in .*state \(ENOTDIR: /,
  );
});
