/** A model outside the house, whose values come late, wrong, from the future or not at all, while the house trades. */
import { expect, test } from 'vitest';
import { defineStrategy, NO_QUOTES, twoSided } from '../../src/core/strategy/sdk.js';
import type { EngineOptions } from '../../src/core/engine/options.js';
import type { Random } from '../../src/core/ports/random.js';
import { marketId } from '../../src/domain/ids.js';
import { type Micros, micros } from '../../src/domain/units.js';
import { SourceJudge } from '../../src/runs/fair-values/source-judge.js';
import { seededRandom } from '../../src/storage/clocks/seeded-random.js';
import { ordersAtVenue } from '../support/simulation/agreement.js';
import { haltsIn, quotedBy, RAIN_YES } from '../support/simulation/scenes.js';
import { World } from '../support/simulation/world.js';

/** `npx vitest run test/simulation/fair-values.test.ts` lives through these; the environment asks for more. */
const SEEDS = Number(process.env['ODDSMITH_FAIR_SEEDS'] ?? 2);
const CUP = [2_001, 2_002].map(marketId);
const MAX_AGE_MS = 3_000;
/** A value that has expired is found at once; a cancel has travelled and was acted on so long after. */
const GONE_WITHIN = 2_000_000;
const STEP_MS = 100;
const STEPS = 300;
const SPREAD = 0.03;

const led = defineStrategy({
  name: 'led',
  params: {},
  signals: { elo: { kind: 'external', required: true, maxAgeMs: MAX_AGE_MS } },
  quote(context) {
    const { fair, signals } = context;
    if (signals.elo === null) throw new Error('asked without the signal that it requires');
    if (fair === null) return NO_QUOTES;
    const at = (distance: number) => ({
      price: fair.p + distance,
      shares: 10,
      steps: { fair: fair.p, distance },
    });
    return twoSided(context, at(-SPREAD), at(SPREAD));
  },
});

const withModel = (options: EngineOptions): EngineOptions => ({
  ...quotedBy('cup', led)(options),
  fairSources: new Map([[RAIN_YES, { name: 'model', maxAgeMs: MAX_AGE_MS, whenStale: 'halt' as const }]]),
});

/** What the model says of one subject now, and what is wrong with it; null: nothing. */
function said(random: Random, now: Micros, subject: object, value: number): object | null {
  const iso = (aheadMs: number) => new Date(now / 1_000 + aheadMs).toISOString();
  const field = 'name' in subject ? 'value' : 'probability';
  switch (random.below(8)) {
    case 0:
      return { ...subject, [field]: value, time: iso(-random.below(2 * MAX_AGE_MS)) };
    case 1:
      return { ...subject, [field]: 'name' in subject ? 'much' : 1 + value, time: iso(0) };
    case 2:
      return { ...subject, [field]: value, time: iso(1_001 + random.below(3_600_000)) };
    case 3:
    case 4:
      return null;
    default:
      return { ...subject, [field]: value, time: iso(0) };
  }
}

interface Lived {
  readonly quoted: ReadonlySet<string>;
  readonly halts: ReadonlySet<string | null>;
  readonly refused: Readonly<Record<string, number>>;
}

/** @throws Error for a quote that stands longer than allowed on a value that has expired */
async function live(seed: number): Promise<Lived> {
  const random = seededRandom(seed).fork('model');
  const world = new World({ seed });
  const bot = await world.start({ engine: withModel });
  const judge = new SourceJudge({ markets: [RAIN_YES, ...CUP].map((id) => ({ id, key: null })) });
  const newest = new Map<string, number>();
  const quoted = new Set<string>();
  const halts = new Set<string | null>();
  // The model begins after the bot.
  let silentUntil = 50;
  for (let step = 0; step < STEPS; step += 1) {
    if (random.below(60) === 0) silentUntil = Math.max(silentUntil, step + random.below(100));
    if (step >= silentUntil && step % 5 === 0) {
      const subjects = [{ market: RAIN_YES }, ...CUP.map((market) => ({ market, name: 'elo' }))] as const;
      const pieces = subjects.flatMap((subject, at) => {
        const content = said(random, world.now, subject, 0.4 + random.below(21) / 100);
        return content === null ? [] : [{ line: at + 1, content }];
      });
      const { values } = judge.judge(pieces, { now: world.now, arrivedAt: world.now });
      for (const { value } of values) newest.set(value.marketId, value.at);
      if (values.length > 0) bot.loop.outside(...values.map(({ value }) => value));
    }
    await world.run(STEP_MS);
    for (const id of Object.values(haltsIn(bot.view))) halts.add(id);
    for (const { marketId: id } of ordersAtVenue(world)) {
      const market = String(id);
      quoted.add(market);
      const expiry = (newest.get(market) ?? -Infinity) + MAX_AGE_MS * 1_000;
      if (world.now > micros(Math.max(0, expiry)) + GONE_WITHIN)
        throw new Error(
          `seed ${seed}: market ${market} is quoted ${(world.now - expiry) / 1e6} s after its value expired`,
        );
    }
  }
  expect([bot.broken, bot.faults]).toEqual([null, []]);
  return { quoted, halts, refused: judge.counts };
}

test('no quote stands for long on a required value that has expired', async () => {
  const quoted = new Set<string>();
  const halts = new Set<string | null>();
  const refused: Record<string, number> = {};
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const life = await live(seed);
    for (const market of life.quoted) quoted.add(market);
    for (const halt of life.halts) halts.add(halt);
    for (const [why, count] of Object.entries(life.refused)) refused[why] = (refused[why] ?? 0) + count;
  }
  expect([...quoted].toSorted()).toEqual(['1001', '2001', '2002']);
  expect([...halts]).toEqual(
    expect.arrayContaining([
      'fair-value-missing',
      'fair-value-stale',
      'signal-missing-elo',
      'signal-expired-elo',
      null,
    ]),
  );
  for (const why of ['accepted', 'not-a-probability', 'not-a-number', 'from-the-future', 'older'])
    expect(refused[why]).toBeGreaterThan(0);
}, 600_000);
