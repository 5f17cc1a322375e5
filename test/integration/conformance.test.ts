import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { accountId, eventId, marketId } from '../../src/domain/ids.js';
import { learnAccount } from '../../src/ops/state/account-folder.js';
import { ASSUMPTIONS, type ProbeName } from '../../src/runs/conformance/assumptions.js';
import {
  keepConformance,
  requireConformance,
  tryAssumptions,
} from '../../src/runs/conformance/conformance.js';
import { type Trial, Probing } from '../../src/runs/conformance/probes.js';
import { bundledVenueOf, type RunningExchange, runExchange } from '../../src/runs/exchange/exchange.js';
import { type ExchangeSettings, loadExchangeSettings } from '../../src/settings/index.js';
import { seededRandom } from '../../src/storage/clocks/seeded-random.js';
import { SystemClock } from '../../src/storage/clocks/system-clock.js';
import { scratchFolder } from '../support/disk/scratch-folder.js';
import { SILENT } from '../support/process/silent-logger.js';
import { ROOT } from '../support/project/small-house.js';

const FILE = join(ROOT, 'config', 'exchange.yaml');
const clock = new SystemClock();
const open: RunningExchange[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

/** A market of an exchange without traders. */
async function trialOf(changes: Partial<ExchangeSettings> = {}): Promise<Trial> {
  const settings = { ...loadExchangeSettings(FILE, {}).settings, port: 0, participants: [], ...changes };
  const exchange = await runExchange({
    settings,
    file: FILE,
    clock,
    random: seededRandom(1),
    logger: SILENT,
    busyPort: 'fail',
    start: clock.now(),
  });
  open.push(exchange);
  const venue = {
    ...bundledVenueOf(loadExchangeSettings(FILE, {}).settings, exchange.server),
    bookCacheMs: 0,
  };
  return { venue, clock, eventId: eventId(873), marketId: marketId(2231), tickUnits: 100, shares: 1 };
}

async function verdictsOf(trial: Trial, names: readonly ProbeName[]): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const probing = await Probing.start(trial);
  for (const name of names) {
    const { verdict, text } = await probing.try(name);
    expect(await probing.clear(), `${name} leaves nothing`).toBe(true);
    found[name] = verdict === 'verified' ? verdict : `${verdict}: ${text}`;
  }
  return found;
}

/** Waiting for an order to expire takes seconds. */
const QUICK = ASSUMPTIONS.flatMap(({ probe }) => (probe === null || probe === 'expired' ? [] : [probe]));

describe('what is assumed of a venue', () => {
  it('holds at the bundled exchange', async () => {
    expect(await verdictsOf(await trialOf(), QUICK)).toEqual(
      Object.fromEntries(QUICK.map((name) => [name, 'verified'])),
    );
  });

  it('is found to differ where it does', async () => {
    const strict = await trialOf({ signing: { nested: 'json' }, clockWindowS: 10, duplicateWindowMs: 0 });
    const found = await verdictsOf(strict, ['nested-signature', 'empty-body', 'clock-window']);
    expect(found['nested-signature']).toMatch(/^differs: 401 /);
    expect(found['clock-window']).toMatch(/^differs: within 401/);
    expect(found['empty-body']).toBe('verified');
    const lenient = await trialOf({ duplicateWindowMs: 0 });
    expect((await verdictsOf(lenient, ['duplicate']))['duplicate']).toMatch(/^differs: 200 /);
  });
});

const faulty = (on: string, kind: 'rate_limit' | 'lose_answer' | 'error_before'): Promise<Trial> =>
  trialOf({ faults: { seed: 1, rules: [{ on, kind, probability: 1 }] } });

describe('a trial', () => {
  it('judges nothing by an answer that says nothing', async () => {
    const names = ['empty-batch', 'share-grid', 'past-expiry', 'duplicate', 'conflict'] as const;
    for (const kind of ['rate_limit', 'error_before'] as const) {
      const found = await verdictsOf(await faulty('POST /orders/batch/', kind), names);
      for (const name of names) expect(found[name]).toMatch(/^untested: /);
    }
  });

  it('cancels what no answer told of, and leaves what stood there before', async () => {
    const trial = await faulty('POST /orders/batch/', 'lose_answer');
    const earlier = await Probing.start(trial);
    await earlier.batch([earlier.order()]);
    const [before] = [...(await earlier.active()).keys()];
    const probing = await Probing.start(trial);
    expect((await probing.try('mirror')).verdict).toBe('untested');
    expect((await probing.active()).size).toBe(2);
    expect(await probing.clear()).toBe(true);
    expect([...(await probing.active()).keys()]).toEqual([before]);
    expect(await earlier.clear()).toBe(true);
  });

  it('places nothing that stands for more than ten minutes', async () => {
    const probing = await Probing.start(await trialOf());
    const left = Date.parse(String(probing.order()['expired_at'])) - clock.now() / 1_000;
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(600_000);
  });

  /** Until it has tried the first that places an order. */
  const untilBadItem = (trial: Trial) => {
    const stop = new AbortController();
    const tell = ({ probe }: { readonly probe: ProbeName | null }): void => {
      if (probe === 'bad-item') stop.abort();
    };
    return tryAssumptions(trial, tell, stop.signal);
  };

  it('ends between two tries when it is stopped, and leaves nothing', async () => {
    const trial = await trialOf();
    const { results, isClear } = await untilBadItem(trial);
    expect([results.map(({ number }) => number), isClear]).toEqual([[1, 2, 3, 4, 5, 6, 7], true]);
    expect((await (await Probing.start(trial)).active()).size).toBe(0);
  });

  it('verifies nothing where an order may remain, and says so', async () => {
    const { results, isClear } = await untilBadItem(
      await faulty('POST /orders/batch-cancel/', 'error_before'),
    );
    expect(isClear).toBe(false);
    expect(results.at(-1)).toMatchObject({
      verdict: 'untested',
      text: expect.stringContaining('an order may remain, look at the market') as string,
    });
  });
});

it('makes a run with real money warn while an assumption is untested, and refuse while one differs', () => {
  const venue = { baseUrl: 'https://venue.example.org', publicKey: 'pk' } as never;
  const settings = { stateDir: scratchFolder(), mode: 'live', currencyMode: 'real_money', venue } as never;
  const warned = (sharding: object | null = null): readonly string[] => {
    const texts: string[] = [];
    requireConformance({ ...(settings as object), sharding } as never, venue, (text) => texts.push(text));
    return texts;
  };
  const keep = (verdictOf: (number: number) => 'verified' | 'differs' | 'untested'): void => {
    const play = { ...(settings as object), currencyMode: 'play_money' } as never;
    const results = ASSUMPTIONS.map(({ number }) => ({ number, verdict: verdictOf(number), text: '' }));
    keepConformance(learnAccount(play, venue, accountId(1)), { at: '2026-01-01', market: '1', results });
  };
  expect(warned()[0]).toMatch(/^\d+ assumptions about the venue that protect money are untested/);
  keep(() => 'verified');
  expect(warned()).toEqual([]);
  keep((number) => (number === 6 ? 'differs' : 'verified'));
  expect(warned()).toEqual([]);
  keep((number) => (number === 10 ? 'differs' : 'verified'));
  for (const sharding of [null, { of: 4, shard: 2, lease: null }])
    expect(() => warned(sharding)).toThrow(/real money would be at risk: 10\. A create that is repeated/);
});

it('is listed in the guide as the program has it', () => {
  const page = readFileSync(join(ROOT, 'docs/guides/conformance.md'), 'utf8').replaceAll(/ +/g, ' ');
  for (const { number, sentence, isSafety, probe } of ASSUMPTIONS)
    expect(page).toContain(
      `| ${number} | ${sentence} | ${isSafety ? 'yes' : 'no'} | ${probe === null ? 'no' : 'yes'} |`,
    );
});
