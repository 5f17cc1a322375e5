import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { BotOptions } from '../../../../src/ops/state/options.js';
import { openWorkAtVenue, takeOverJournals } from '../../../../src/ops/state/other-journals.js';
import { botLockOf, statePathsOf, type StatePaths } from '../../../../src/ops/state/state-paths.js';
import { accountId } from '../../../../src/domain/ids.js';
import { micros } from '../../../../src/domain/units.js';
import { workIn } from '../../../../src/core/execution/orders/left-behind.js';
import type { JournalRecord } from '../../../../src/core/ports/journal.js';
import { FileJournal } from '../../../../src/storage/journal/file-journal.js';
import { HeartbeatFile } from '../../../../src/storage/state/heartbeat-file.js';
import { readOpenWork } from '../../../../src/storage/journal/journal-file.js';
import { JOURNAL_FILES } from '../../../../src/storage/journal/journal-file.js';
import { created, end, ownOrders, request, run } from '../../../support/disk/journal-records.js';
import { scratchFolder } from '../../../support/disk/scratch-folder.js';

/** A folder of state on which bots with several keys and names ran. */
class Office {
  readonly said: string[] = [];
  private readonly settings = {
    stateDir: scratchFolder(),
    currencyMode: 'play_money' as const,
    journal: { sync: 'group' as const },
  };

  paths(publicKey: string, name = 'house', baseUrl = 'http://one.example'): StatePaths {
    return statePathsOf(this.settings, { name, baseUrl, publicKey });
  }

  lock(account: number, baseUrl = 'http://one.example'): string {
    return botLockOf(this.settings, { baseUrl }, accountId(account));
  }

  /** A bot of account 1 at the first venue, unless another lock is told, that died with these records. */
  async died(paths: StatePaths, records: readonly JournalRecord[], lock = this.lock(1)): Promise<void> {
    const { journal } = FileJournal.open({ dir: paths.journal, sync: 'group' });
    records.forEach((record) => journal.append(record));
    await journal.close();
    const heartbeat = new HeartbeatFile(paths.heartbeat, { runId: 'a', account: 1, lock: basename(lock) });
    heartbeat.end('invariant');
  }

  /** What who withdraws at the first venue goes by. */
  work(own: StatePaths): readonly JournalRecord[] {
    return this.workAtVenue(own).records;
  }

  /** The same, and what bots that still run tend. */
  workAtVenue(own: StatePaths): ReturnType<typeof openWorkAtVenue> {
    return openWorkAtVenue(own, this.settings, { baseUrl: 'http://one.example' });
  }

  begin(paths: StatePaths): Promise<void> {
    const quiet = (): void => undefined;
    const logger = {
      debug: quiet,
      info: quiet,
      warn: (text: string) => void this.said.push(text),
      error: quiet,
    };
    const options = { settings: this.settings, clock: { now: () => micros(1) }, logger };
    return takeOverJournals(options as unknown as BotOptions, paths, this.lock(1));
  }
}

describe('a start finds open work of its account in a journal of another key or name', () => {
  it('moves it into its own, once, and says so', async () => {
    const office = new Office();
    const [old, own] = [office.paths('pk_old'), office.paths('pk_new', 'elsewhere')];
    await office.died(old, [run('a'), request(1), created(1, 7), request(2)]);
    await office.died(own, [run('b'), request(1), created(1, 8), end('invariant')]);
    await office.begin(own);
    const all = [run('b'), ownOrders(8), run('a'), ownOrders(7), request(2)];
    expect(readOpenWork(own.journal)).toEqual(all);
    expect(readOpenWork(old.journal)).toEqual([]);
    await office.begin(own);
    expect(readOpenWork(own.journal)).toEqual(all);
    expect(office.said).toHaveLength(1);
  });

  it.each([
    ['all of it was in its new place', 3],
    ['some of it was in its new place', 2],
  ])('knows it again when the start before was killed once %s', async (_, copied) => {
    const office = new Office();
    const [old, own] = [office.paths('pk_old'), office.paths('pk_new')];
    await office.died(old, [run('a'), request(1), created(1, 7), request(2)]);
    const left = readOpenWork(old.journal);
    await office.died(own, left.slice(0, copied));
    expect(office.work(own)).toEqual(left);
    await office.begin(own);
    expect(readOpenWork(own.journal)).toEqual(left);
    expect(readOpenWork(old.journal)).toEqual([]);
  });

  it.each([
    ['of another account', 2, 'http://one.example'],
    ['of another venue', 1, 'http://two.example'],
  ])('leaves work %s alone', async (_, account, baseUrl) => {
    const office = new Office();
    const [other, own] = [office.paths('pk_other', 'house', baseUrl), office.paths('pk_new')];
    await office.died(other, [run('a'), request(1)], office.lock(account, baseUrl));
    await office.begin(own);
    expect(readOpenWork(other.journal)).toEqual([run('a'), request(1)]);
    expect(readOpenWork(own.journal)).toEqual([]);
  });

  it('does not begin when that journal cannot be read', async () => {
    const office = new Office();
    const old = office.paths('pk_old');
    await office.died(old, [run('a'), request(1)]);
    writeFileSync(JOURNAL_FILES.path(old.journal, 1), 'x\n');
    await expect(office.begin(office.paths('pk_new'))).rejects.toThrow(JOURNAL_FILES.path(old.journal, 1));
  });
});

describe('who withdraws at a venue', () => {
  const ROWS = [run('a'), request(1), created(1, 7), request(2)];

  it('goes by all journals of it, and by none of another', async () => {
    const office = new Office();
    const own = office.paths('pk_new');
    await office.died(office.paths('pk_old', 'elsewhere'), ROWS);
    const elsewhere = 'http://two.example';
    await office.died(office.paths('pk_old', 'house', elsewhere), ROWS, office.lock(1, elsewhere));
    await office.died(own, [run('b'), request(1)]);
    expect(office.work(own)).toEqual([run('b'), request(1), run('a'), ownOrders(7), request(2)]);
  });

  it('does not wait for what a bot has under way that runs on', async () => {
    const office = new Office();
    const other = office.paths('pk_other');
    await office.died(other, ROWS);
    const beating = new HeartbeatFile(other.heartbeat, {
      runId: 'a',
      account: 2,
      lock: basename(office.lock(2)),
    });
    const { records, tended } = office.workAtVenue(office.paths('pk_new'));
    expect([records, workIn(records, 0, tended)]).toMatchObject([
      [],
      { lost: [], named: new Set([7]), tended: new Set([7]) },
    ]);
    beating.end('clean');
  });
});
