import { appendFileSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  JobTaker,
  RecordingsHere,
  JobRefusal,
  type SentJob,
  sentJob,
  sentScreens,
} from '../../../../../src/runs/sweep/redis/job-taker.js';
import { batchesOf } from '../../../../../src/runs/screen/screen-batch.js';
import { planSweep, type SweepPlan } from '../../../../../src/runs/sweep/plan.js';
import { openRecording } from '../../../../../src/storage/index.js';
import { scratchFolder } from '../../../../support/disk/scratch-folder.js';
import { ROOT } from '../../../../support/project/small-house.js';

const RECORDING = 'recordings/synthetic-rain.ndjson.gz';

const VENUE = `
venue:
  baseUrl: https://venue.example
  realtime: { key: key, host: venue.example }
  publicKey: \${KEY}
  privateKey: \${SECRET}
`;

/** A machine: the folder of a configuration with its recording. */
function machine(): string {
  const folder = scratchFolder();
  mkdirSync(join(folder, 'recordings'));
  for (const name of ['sweep.yaml', RECORDING]) copyFileSync(join(ROOT, 'config', name), join(folder, name));
  return folder;
}

const planOf = (folder: string, overrides: readonly string[] = []): Promise<SweepPlan> =>
  planSweep({
    file: join(folder, 'sweep.yaml'),
    environment: { KEY: 'p', SECRET: 'private-word' },
    overrides,
  });

/** The jobs of a machine as they travel. */
const sentFrom = (plan: SweepPlan, folder: string): readonly SentJob[] =>
  plan.jobs.flat().map((job) => sentJob(job, { ...plan, file: join(folder, 'sweep.yaml') }));

async function oneJob(folder: string): Promise<SentJob> {
  const [first] = sentFrom(await planOf(folder), folder);
  return first!;
}

describe('a job on the machine of a worker', () => {
  it('is the one that was sent, wherever its files lie there', async () => {
    const [here, there] = [machine(), machine()];
    const plan = await planOf(there);
    const sent = sentFrom(plan, there).at(-1)!;
    const task = await new JobTaker(here).take(JSON.parse(JSON.stringify(sent)));
    const { key, settings, strategies } = plan.jobs.at(-1)!.at(-1)!;
    expect(task).toMatchObject({ kind: 'backtest', job: { key, piece: 0, settings, strategies } });
    expect(task.recordings.map(({ name }) => name)).toEqual([join(here, RECORDING)]);
    expect(await new JobTaker(undefined).take(sent)).toMatchObject({ job: { key } });
  });

  it('is a batch of screens that were sent together, and no other one', async () => {
    const [here, there] = [machine(), machine()];
    const plan = await planOf(there);
    const [first] = batchesOf(plan.jobs.flat());
    const sent = sentScreens(first!, { ...plan, file: join(there, 'sweep.yaml') });
    const task = await new JobTaker(here).take(JSON.parse(JSON.stringify(sent)));
    expect(task).toMatchObject({ kind: 'screen', batch: { key: first!.key } });
    const damaged = { ...sent, key: '0'.repeat(64) };
    await expect(new JobTaker(here).take(damaged)).rejects.toThrow('its hash differs');
  });

  it('decodes each recording once, whatever the number of jobs', async () => {
    const folder = machine();
    const opened: string[] = [];
    const recordings = new RecordingsHere((file, trades, budget) => {
      opened.push(file);
      return openRecording(file, { trades: trades.model, budget });
    });
    const taker = new JobTaker(folder, recordings);
    const jobs = sentFrom(await planOf(folder), folder);
    expect(jobs).toHaveLength(32);
    const tasks = await Promise.all(jobs.map((job) => taker.take(job)));
    expect(opened).toEqual([join(folder, RECORDING)]);
    expect(new Set(tasks.map(({ recordings: [one] }) => one!.kept)).size).toBe(4);
  });

  it('is refused where the recording is another, is damaged, or is not there', async () => {
    const [here, there] = [machine(), machine()];
    const sent = await oneJob(there);
    const refused = (folder: string, what: RegExp | typeof JobRefusal) =>
      expect(new JobTaker(folder).take(sent)).rejects.toThrow(what);
    await refused(scratchFolder(), /synthetic-rain\.ndjson\.gz.*cannot be read \(ENOENT\)/);
    appendFileSync(join(here, RECORDING), 'more');
    await refused(here, JobRefusal);
    writeFileSync(
      join(here, RECORDING),
      '{"t":1000,"type":"book","event":300,"market":3001,"bid":[[0.4,2]],"ask":[[0.5,2]]}\n',
    );
    const text = new RegExp(
      `differs from the recording of the sweep: here SHA-256 \\w{64}, there ${sent.recordings[0]!.sha256}`,
    );
    await refused(here, text);
  });

  it('is refused where the notes beside the recording or the file of a strategy are others', async () => {
    const [here, there] = [machine(), machine()];
    const notes = [{ market: 3001, file: 'synthetic-rain.ndjson.gz', close_t: 1 }];
    writeFileSync(join(here, 'recordings', 'markets.json'), JSON.stringify(notes));
    await expect(new JobTaker(here).take(await oneJob(there))).rejects.toThrow(/markets\.json/);
    const sent = await oneJob(there);
    const strategies = sent.strategies.map((one) => ({ ...one, sha256: 'a'.repeat(64) }));
    await expect(new JobTaker(there).take({ ...sent, strategies })).rejects.toThrow(
      /the strategy fixed-spread differs from that of the sweep: here SHA-256 \w{64}, there a{64}/,
    );
  });

  it('is refused when it comes from another version, is damaged, or is none', async () => {
    const folder = machine();
    const sent = await oneJob(folder);
    const refused = (job: unknown, why: RegExp) =>
      expect(new JobTaker(folder).take(job)).rejects.toThrow(why);
    const configuration = sent.configuration.replace('"seed":7', '"seed":8');
    await refused({ ...sent, version: '9.9.9' }, /started by version 9\.9\.9 of the program/);
    await refused(null, /version undefined/);
    await refused({ ...sent, from: 'soon' }, /no job of a sweep/);
    await refused({ ...sent, configuration }, /the configuration in Redis .* its hash differs/);
    await refused({ ...sent, key: 'a'.repeat(64) }, /would be another one here: its hash differs/);
  });

  it('carries no key of the venue', async () => {
    const folder = machine();
    appendFileSync(join(folder, 'sweep.yaml'), VENUE);
    const plan = await planOf(folder);
    expect(JSON.stringify(sentFrom(plan, folder))).not.toContain('private-word');
  });
});
