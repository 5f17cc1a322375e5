import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { concludeCanary } from '../../../src/cli/commands/canary.js';
import { besides, type CanaryOptions } from '../../../src/runs/canary/canary.js';
import { seededRandom } from '../../../src/storage/clocks/seeded-random.js';
import { type CanaryVerdict, judgeCanary } from '../../../src/runs/canary/judgement.js';
import { keepOutcome, outcomeOf, promoteIn, rollBackIn } from '../../../src/runs/canary/outcome.js';
import { loadKeylessSettings } from '../../../src/settings/index.js';
import { ran } from '../../support/screen/told-command.js';

const CANARY = {
  instance: 'first',
  params: { halfSpread: '0.02' },
  for: 60_000,
  promote: 'by-hand',
} as const;

const FILE = `# my bot
currencyMode: play_money
currency: OOM
venue:
  name: local
  baseUrl: http://127.0.0.1:4010
  realtime: { key: local, host: 127.0.0.1, port: 4010, tls: false }
  publicKey: pk
  privateKey: \${A_KEY_OF_NO_TEST}
events:
  - id: 1
    markets:
      - { id: 11, title: Heads }
      - { id: 12, title: Tails }
instances:
  - name: other
    strategy: fixed-spread
    markets: [ 11 ]
    params: { halfSpread: '0.01', shares: 10 }
    limits: { maxPositionShares: 200, maxEventLoss: 200 }
  - name: first # the one that matters
    strategy: fixed-spread
    markets: [ 12 ]
    params: { halfSpread: '0.01', shares: 11 }
    limits: { maxPositionShares: 200, maxEventLoss: 200 }
canary: { instance: first, params: { halfSpread: '0.02' }, for: 2h }
seed: 7
`;

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'canary-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  return dir;
}

function folderOf(text: string): string {
  const dir = folder();
  writeFileSync(join(dir, 'bot.yaml'), text);
  return dir;
}

/** Profits of both: the market moves both alike, and the new parameters gain so much in each slice. */
const samples = (slices: number, gain: (slice: number) => number) => {
  let lead = 0;
  return Array.from({ length: slices + 1 }, (_, at) => {
    if (at > 0) lead += gain(at);
    const market = 50 * Math.sin(at);
    return { now: market, next: market + lead };
  });
};

describe('the verdict of a canary', () => {
  it('sees a small steady gain in a market that moves both', () => {
    const verdict = judgeCanary(
      samples(60, (at) => 0.1 + (at % 2 === 0 ? 0.05 : -0.05)),
      null,
    );
    expect(verdict).toMatchObject({ outcome: 'better', slices: 60 });
    expect(verdict.difference).toBeCloseTo(6);
  });

  it('calls the same loss worse, and a gain of one slice chance', () => {
    expect(
      judgeCanary(
        samples(60, (at) => -0.1 + (at % 3) * 0.01),
        null,
      ).outcome,
    ).toBe('worse');
    expect(
      judgeCanary(
        samples(60, (at) => (at === 30 ? 20 : 0)),
        null,
      ).outcome,
    ).toBe('undecided');
  });

  it('says nothing of a few slices, and stops what cannot go on', () => {
    expect(
      judgeCanary(
        samples(5, () => 1),
        null,
      ).outcome,
    ).toBe('undecided');
    expect(
      judgeCanary(
        samples(5, () => 1),
        'it was killed',
      ),
    ).toMatchObject({
      outcome: 'worse',
      text: 'it was killed',
    });
  });
});

describe('a canary in a file', () => {
  const written = (text: string): string => {
    const file = join(folder(), 'bot.yaml');
    writeFileSync(file, text);
    chmodSync(file, 0o644);
    return file;
  };

  it('is promoted into its instance alone; comments and the mode of the file stay', async () => {
    const file = written(FILE);
    await promoteIn(file, CANARY);
    expect(readFileSync(file, 'utf8')).toBe(
      FILE.replace(/canary: .*\n/, '').replace("'0.01', shares: 11", '"0.02", shares: 11'),
    );
    expect(statSync(file).mode & 0o777).toBe(0o644);
  });

  it.each([
    ["params: { halfSpread: '0.01', shares: 11 }", 'params: &own { shares: 11 }', 'no map of their own'],
    ["params: { halfSpread: '0.01', shares: 11 }", "params: { halfSpread: &half '0.01' }", 'no map of their'],
    ["params: { halfSpread: '0.01', shares: 11 }", 'params: 3', 'no map of their own'],
    ["params: { halfSpread: '0.01', shares: 10 }", 'params: &all { shares: 10 }', 'no map of their own'],
  ])('is not promoted where %s is %s', async (before, now, why) => {
    const shared = FILE.replace(before, now).replace(
      now.includes('&all') ? "params: { halfSpread: '0.01', shares: 11 }" : 'nothing',
      'params: *all',
    );
    const file = written(shared);
    await expect(promoteIn(file, CANARY)).rejects.toThrow(why);
    expect(readFileSync(file, 'utf8')).toBe(shared);
  });

  it('is not promoted into a file that would be refused afterwards', async () => {
    const file = written(FILE);
    const params = { halfSpread: 'wide' };
    await expect(promoteIn(file, { ...CANARY, params })).rejects.toThrow(/stays as it is.*halfSpread/s);
    expect(readFileSync(file, 'utf8')).toBe(FILE);
  });

  it('is rolled back without another change', () => {
    const file = written(FILE);
    rollBackIn(file);
    expect(readFileSync(file, 'utf8')).toBe(FILE.replace(/canary: .*\n/, ''));
    expect(statSync(file).mode & 0o777).toBe(0o644);
  });

  it('is not rolled back where something else refers to it', () => {
    const referred = FILE.replace("params: { halfSpread: '0.02' }", "params: &next { halfSpread: '0.02' }");
    const file = written(`${referred}notes: *next\n`);
    expect(() => rollBackIn(file)).toThrow(/stays as it is.*next/);
  });

  it('is found again by its parameters alone', () => {
    const settings = { stateDir: folder() };
    expect(outcomeOf(settings, CANARY)).toBeNull();
    keepOutcome(settings, 'r1', CANARY, {
      ...judgeCanary(
        samples(60, (at) => 1 + (at % 2)),
        null,
      ),
    });
    expect(outcomeOf(settings, CANARY)).toMatchObject({ runId: 'r1', outcome: 'better' });
    expect(outcomeOf(settings, { ...CANARY, params: { halfSpread: '0.03' } })).toBeNull();
  });
});

describe('the end of a canary', () => {
  const better = { outcome: 'better', difference: 1.5, interval: null, slices: 60, text: 'more' } as const;
  const FITTING = FILE.replace(
    "halfSpread: '0.02' }, for: 2h",
    "halfSpread: '0.02' }, for: 2h, promote: if-better",
  );

  async function ended(text: string, verdict: CanaryVerdict, isJson = false) {
    const file = join(folder(), 'bot.yaml');
    writeFileSync(file, FITTING);
    const loaded = loadKeylessSettings(file, process.env, ['mode=paper']);
    writeFileSync(file, text);
    const told = await ran(() => concludeCanary(file, loaded, verdict, isJson));
    return { ...told, after: readFileSync(file, 'utf8'), file };
  }

  it('promotes what is better where the file wants that, and says so', async () => {
    const { code, text, after } = await ended(FITTING, better);
    expect(code).toBe(0);
    expect(text).toMatch(/^better: more; difference \+1\.50 OOM over 60 slices\n.* has the new parameters/);
    expect(after).not.toContain('canary');
    const worse = await ended(FITTING, { ...better, outcome: 'worse' });
    expect(worse.after).toBe(FITTING);
  });

  it('says what it found, too, where the file cannot take the parameters over', async () => {
    const gone = FITTING.replace('name: first', 'name: last').replace('instance: first', 'instance: last');
    const { code, text, after, file } = await ended(gone, better);
    expect(code).toBe(2);
    expect(text).toMatch(
      /^better: more; .*\nnot promoted: .* has no instance first\noddsmith canary promote /,
    );
    expect(after).toBe(gone);
    const json = JSON.parse((await ended(gone, better, true)).text) as object;
    expect(json).toMatchObject({
      event: 'verdict',
      outcome: 'better',
      promoted: false,
      refusal: expect.stringContaining('has no instance first'),
    });
    rmSync(file);
    const loaded = loadKeylessSettings(join(folderOf(FITTING), 'bot.yaml'), process.env, ['mode=paper']);
    const missing = await ran(() => concludeCanary(file, loaded, better, false));
    expect(missing.text).toMatch(/^better: more; .*\nnot promoted: ENOENT/);
  });
});

it('both bots of a canary have accounts of their own, which no other canary goes on with', () => {
  const file = join(folderOf(FILE), 'bot.yaml');
  const { settings, source } = loadKeylessSettings(file, process.env, ['mode=paper']);
  const options = (runId: string): CanaryOptions =>
    ({
      settings,
      source,
      runId,
      canary: settings.canary,
      random: seededRandom(1),
      logger: { child: () => null },
    }) as unknown as CanaryOptions;
  const places = ['first', 'second'].flatMap((runId) =>
    (['now', 'next'] as const).map((which) => besides(options(runId), which, {}).settings.paper.account),
  );
  expect(new Set(places).size).toBe(4);
});
