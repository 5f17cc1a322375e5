import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { accountId, eventId, marketId } from '../../src/domain/ids.js';
import { learnAccount } from '../../src/ops/state/account-folder.js';
import { ASSUMPTIONS, type ProbeName } from '../../src/runs/conformance/assumptions.js';
import { keepConformance, requireConformance } from '../../src/runs/conformance/conformance.js';
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
  const probing = new Probing(trial);
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

it('makes a run with real money warn while an assumption is untested, and refuse while one differs', () => {
  const venue = { baseUrl: 'https://venue.example.org', publicKey: 'pk' } as never;
  const settings = { stateDir: scratchFolder(), mode: 'live', currencyMode: 'real_money', venue } as never;
  const warned = (): readonly string[] => {
    const texts: string[] = [];
    requireConformance(settings, venue, (text) => texts.push(text));
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
  expect(warned).toThrow(/real money would be at risk: 10\. A create that is repeated/);
});

it('is listed in the guide as the program has it', () => {
  const page = readFileSync(join(ROOT, 'docs/guides/conformance.md'), 'utf8').replaceAll(/ +/g, ' ');
  for (const { number, sentence, isSafety, probe } of ASSUMPTIONS)
    expect(page).toContain(
      `| ${number} | ${sentence} | ${isSafety ? 'yes' : 'no'} | ${probe === null ? 'no' : 'yes'} |`,
    );
});
