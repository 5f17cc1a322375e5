import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runExchange } from '../../../src/runs/exchange/exchange.js';
import { micros } from '../../../src/domain/units.js';
import { seededRandom } from '../../../src/storage/clocks/seeded-random.js';
import { VirtualClock } from '../../support/clocks/virtual-clock.js';
import { exchangeSchema } from '../../../src/settings/exchange-schema.js';
import { scratchFolder } from '../../support/disk/scratch-folder.js';
import { SILENT } from '../../support/process/silent-logger.js';

it('a recording that is not there stops the start before anything is opened', async () => {
  const dir = scratchFolder();
  const dataDir = join(dir, 'data');
  const settings = exchangeSchema.parse({
    port: 0,
    dataDir,
    events: [{ id: 873, title: 'Who wins?', markets: [{ id: 2231, title: 'Candidate A' }] }],
    participants: [{ kind: 'recording', file: 'some.ndjson.gz', event: 873 }],
  });
  const clock = new VirtualClock(micros(0));
  const starting = runExchange({
    settings,
    file: join(dir, 'exchange.yaml'),
    clock,
    start: clock.now(),
    random: seededRandom(1),
    logger: SILENT,
    busyPort: 'fail',
  });
  await expect(starting).rejects.toThrow(/some\.ndjson\.gz: cannot be read \(ENOENT\)/);
  expect(existsSync(dataDir)).toBe(false);
});
