/** Promises that no canary breaks: the auditor finds a bot that breaks them, and has nothing to say of one that does not. */
import { describe, expect, test } from 'vitest';
import { marketId } from '../../src/domain/ids.js';
import type { Micros } from '../../src/domain/units.js';
import type { Engine } from '../../src/engine/engine.js';
import { ordersAtVenue } from '../support/simulation/agreement.js';
import { Auditor } from '../support/simulation/auditor/auditor.js';
import { charterOf } from '../support/simulation/scenario/charter.js';
import type { Story } from '../support/simulation/scenario/happening.js';
import { turningAway } from '../support/simulation/scenario/misbehaviour.js';
import { ALL_QUOTES } from '../support/simulation/scenes.js';
import { UNCHANGED } from '../support/simulation/seam.js';
import { World } from '../support/simulation/world.js';

const HOUR_MS = 3_600_000;
const YES = marketId(1_001);
const UNEVENTFUL: Story = {
  clock: { aheadMs: 0, driftPpm: 0 },
  happenings: [],
  troubleMs: 0,
  turnedAwayMs: 0,
  quietMs: 0,
};

/** A bot that quotes while an auditor reads along. */
async function audited(change: (engine: Engine) => void) {
  const world = World.quiet();
  const charter = charterOf(world.botSettings, world.exchangeSettings, UNEVENTFUL);
  const auditor = new Auditor({ charter, exchange: () => world.venue.exchange, statement: () => null });
  world.record.listen(auditor.note);
  await world.start({ seam: { ...UNCHANGED, engine: change } });
  await world.runUntil('everything is quoted', () => ordersAtVenue(world).length === ALL_QUOTES);
  return { world, rules: () => [...new Set(auditor.findings.map(({ rule }) => rule))] };
}

const unchanged = (): void => undefined;

const openForEver = (engine: Engine): void => {
  engine['parts'].mirror.tradability = () => ({ state: 'tradable', reason: null }) as never;
};

describe.each([
  ['paused', { status: 'paused' }, 'stood-in-a-closed-market'],
  // What is held there has to be read anew, and then it is quoted again.
  ['disabled', { disabled: true }, 'quoted-a-closed-market'],
] as const)('quotes in a market that is %s', (_what, state, rule) => {
  test.each([
    ['cancelled at once are no finding', unchanged, []],
    ['kept up are one', openForEver, [rule]],
  ])('%s', async (_which, change, found) => {
    const { world, rules } = await audited(change);
    world.venue.execute({ kind: 'set-market-status', marketId: YES, ...state });
    await world.run(60_000);
    expect(rules()).toEqual(found);
  });
});

describe('quotes in a market in which betting has ended', () => {
  const blindToDates = (engine: Engine): void => {
    openForEver(engine);
    engine['parts'].mirror.betEnd = () => null;
    engine.objectionTo = () => null;
  };

  test.each([
    ['that are asked for no more are no finding', unchanged, []],
    ['and that are asked for again are one', blindToDates, ['quoted-after-the-end']],
  ])('%s', async (_which, change, found) => {
    const { world, rules } = await audited(change);
    const betEnd = (world.now + 10_000_000) as Micros;
    world.venue.execute({ kind: 'set-market-status', marketId: YES, betEnd });
    await world.run(60_000);
    expect(rules()).toEqual(found);
  });
});

describe('an hour in which every request is turned away', () => {
  const indifferent = (engine: Engine): void => {
    engine['parts'].alarms.review = unchanged;
  };

  test.each([
    ['and a person is told is no finding', unchanged, []],
    ['and nobody is told is one', indifferent, ['silent-about-429']],
  ])('%s', async (_what, change, found) => {
    const { world, rules } = await audited(change);
    world.venue.faults.replace({ seed: 1, rules: turningAway(HOUR_MS) });
    await world.run(60_000);
    world.venue.faults.replace({ seed: 1, rules: [] });
    await world.run(HOUR_MS);
    expect(rules()).toEqual(found);
  });
});
