import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { judgeCanary } from '../../../src/runs/canary/judgement.js';
import { keepOutcome, outcomeOf, promoteIn, rollBackIn } from '../../../src/runs/canary/outcome.js';

const CANARY = {
  instance: 'first',
  params: { halfSpread: '0.02' },
  for: 60_000,
  promote: 'by-hand',
} as const;

const FILE = `# my bot
instances:
  - name: other
    strategy: fixed-spread
    params: { halfSpread: '0.01' }
  - name: first # the one that matters
    strategy: fixed-spread
    params: { halfSpread: '0.01', shares: 10 }
canary: { instance: first, params: { halfSpread: '0.02' }, for: 2h }
seed: 7
`;

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'canary-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
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
  it('is promoted into its instance alone, and comments stay', () => {
    const file = join(folder(), 'bot.yaml');
    writeFileSync(file, FILE);
    promoteIn(file, CANARY);
    expect(readFileSync(file, 'utf8')).toBe(
      FILE.replace(/canary: .*\n/, '').replace("'0.01', shares", '"0.02", shares'),
    );
  });

  it('is rolled back without another change', () => {
    const file = join(folder(), 'bot.yaml');
    writeFileSync(file, FILE);
    rollBackIn(file);
    expect(readFileSync(file, 'utf8')).toBe(FILE.replace(/canary: .*\n/, ''));
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
