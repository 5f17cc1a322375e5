/** What the local API says of the configuration, and what `reload` says of another: nothing that is secret. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { configView } from '../../../src/runs/api/config-view.js';
import { valueDifference } from '../../../src/runs/live/configured-values.js';
import { checkInstances } from '../../../src/runs/strategies/instances.js';
import { loadKeylessSettings } from '../../../src/settings/index.js';
import { scratchFolder } from '../../support/disk/scratch-folder.js';

const BEFORE = 'https://hooks.example/first-secret-path';
const AFTER = 'https://hooks.example/other-secret-path';

const ALERTS = `alerts:
  receivers:
    - { kind: slack, name: desk, url: '\${HOOK_OF_A_TEST}' }
`;

/** A file whose receiver has one address in use, and another on the disk. */
function scene() {
  const file = join(scratchFolder(), 'bot.yaml');
  writeFileSync(file, `${readFileSync('config/local.yaml', 'utf8')}\n${ALERTS}`);
  const inUse = loadKeylessSettings(file, process.env, ['mode=paper']);
  vi.stubEnv('HOOK_OF_A_TEST', AFTER);
  return { file, inUse };
}

beforeEach(() => void vi.stubEnv('HOOK_OF_A_TEST', BEFORE));

describe('the address of a receiver', () => {
  it('is in no view of the configuration, neither as it was nor as it is', () => {
    const { inUse } = scene();
    const view = configView(inUse, [], null);
    expect(view.problem).toBeNull();
    expect(JSON.stringify(view)).not.toContain('secret-path');
  });

  it('is not told where it stands in another value, too', () => {
    const { file, inUse } = scene();
    writeFileSync(file, readFileSync(file, 'utf8').replace('http://127.0.0.1:4010', AFTER));
    expect(configView(inUse, [], null)).toMatchObject({
      differences: [
        {
          path: 'venue.baseUrl',
          inUse: '"http://127.0.0.1:4010"',
          onDisk: expect.stringContaining('[redacted]'),
        },
      ],
      problem: null,
    });
  });

  it('is in no answer to a reload', () => {
    const { file, inUse } = scene();
    const onDisk = loadKeylessSettings(file, process.env, ['mode=paper']);
    expect(valueDifference(inUse, onDisk)).toEqual({ changes: [], refused: [] });
  });
});

describe('a parameter', () => {
  const QUOTED = "halfSpread: '0.015', shares: 10, range: 100, priceSkew: '0.03'";

  async function view(written: string, before = QUOTED) {
    const file = join(scratchFolder(), 'bot.yaml');
    const text = readFileSync('config/local.yaml', 'utf8');
    expect(text).toContain(QUOTED);
    writeFileSync(file, text.replace(QUOTED, before));
    const inUse = loadKeylessSettings(file, process.env, ['mode=paper']);
    const instances = await checkInstances(inUse.settings, inUse.source, () => 100);
    writeFileSync(file, text.replace(QUOTED, written));
    return configView(
      inUse,
      instances.map(({ instance }) => instance),
      null,
    ).differences;
  }

  it('is the same however the file writes it, and whether it writes a default', async () => {
    expect(await view(QUOTED)).toEqual([]);
    expect(await view("halfSpread: 0.0150, shares: '10', range: 100, priceSkew: 0.03")).toEqual([]);
  });

  it('is another where the file says so, or says nothing any more', async () => {
    const before = QUOTED.replace('0.03', '0.01');
    expect(await view("halfSpread: '0.02', shares: 10, range: 100", before)).toEqual([
      { path: 'first.halfSpread', inUse: '0.015', onDisk: '0.02' },
      { path: 'first.priceSkew', inUse: '0.01', onDisk: '0.03' },
    ]);
    expect(await view("halfSpread: '-1', shares: 10, range: 100, priceSkew: '0.03'")).toEqual([
      { path: 'first.halfSpread', inUse: '0.015', onDisk: expect.stringMatching(/^"-1", expected a number/) },
    ]);
  });
});
