import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { DecisionLog } from '../../../../src/runs/backtest/backtest-folder.js';
import { scratchFolder } from '../../../support/disk/scratch-folder.js';

describe('the decisions of a scenario', () => {
  it('stand under their name once all of them are written; until then those of the run before do', async () => {
    const file = join(scratchFolder(), 'decisions-expected.ndjson.gz');
    writeFileSync(file, 'before');
    const log = new DecisionLog(file);
    log.decided('{"in":1}');
    log.decided('{"in":2}');
    await vi.waitFor(() => expect(existsSync(`${file}.new`)).toBe(true));
    expect(readFileSync(file, 'utf8')).toBe('before');
    await log.close();
    expect(gunzipSync(readFileSync(file)).toString()).toBe('{"in":1}\n{"in":2}\n');
    expect(existsSync(`${file}.new`)).toBe(false);
  });

  it('that cannot be written are refused with their file', async () => {
    const log = new DecisionLog(join(scratchFolder(), 'nowhere', 'decisions.ndjson.gz'));
    log.decided('{"in":1}');
    await expect(log.close()).rejects.toThrow(/decisions\.ndjson\.gz.* cannot be written \(ENOENT\)$/);
  });
});
