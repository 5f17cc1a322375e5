/** What a bot makes of what its venue says about which outcomes exclude each other. */
import { describe, expect, test } from 'vitest';
import type { ResolutionMode } from '../../src/domain/vocabulary.js';
import type { BotSettings, ExchangeSettings } from '../../src/settings/index.js';
import { expectAgreement, ordersAtVenue } from '../support/simulation/agreement.js';
import { haltsIn, quoting } from '../support/simulation/scenes.js';
import type { SimulatedBot } from '../support/simulation/simulated-bot.js';
import { World } from '../support/simulation/world.js';

const CUP = 200;
const [RAIN, ASHFORD, BRACKLEY] = [1_001, 2_001, 2_002];

interface Words {
  readonly configured: ResolutionMode | null;
  readonly exhaustive?: boolean;
  readonly told: ResolutionMode;
}

const venueSays =
  (told: ResolutionMode) =>
  (settings: ExchangeSettings): ExchangeSettings => ({
    ...settings,
    events: settings.events.map((event) => (event.id === CUP ? { ...event, resolutionMode: told } : event)),
  });

const configuredAs =
  (resolutionMode: ResolutionMode | null, exhaustive: boolean) =>
  (settings: BotSettings): BotSettings => ({
    ...settings,
    events: settings.events.map((event) =>
      event.id === String(CUP) ? { ...event, resolutionMode, exhaustive } : event,
    ),
  });

/** A bot in a quiet world, which has had the time to quote all that it wants. */
async function begun({ configured, exhaustive = false, told }: Words) {
  const world = World.quiet({ exchange: venueSays(told) });
  const bot = await world.start({ settings: configuredAs(configured, exhaustive) });
  await world.run(10_000);
  return { world, bot, quoted: new Set(ordersAtVenue(world).map(({ marketId }) => Number(marketId))) };
}

const textsOf = ({ view }: SimulatedBot): readonly string[] =>
  view.notices
    .filter(({ code }) => code.includes('resolution'))
    .map(({ level, text }) => `${level}: ${text}`);

describe('a venue that lets several outcomes come true, of which the configuration allows one', () => {
  test.each([
    ['exclusive', { configured: 'exclusive', told: 'non_exclusive' }],
    ['exhaustive', { configured: null, exhaustive: true, told: 'non_exclusive' }],
  ] as const)('is not quoted in that event, and a person is told what to set: %s', async (_name, words) => {
    const { world, bot, quoted } = await begun(words);
    const halt = 'resolution-contradicted';
    expect(haltsIn(bot.view)).toMatchObject({ [RAIN]: null, [ASHFORD]: halt, [BRACKLEY]: halt });
    expect([...quoted]).toEqual([RAIN]);
    expect(textsOf(bot)).toEqual([
      expect.stringMatching(
        /^error: the venue says non_exclusive of event 200, the configuration exclusive .*set resolutionMode: non_exclusive/,
      ),
    ]);
    expectAgreement(world, bot);
  });

  test('finds what stood at the start withdrawn, adopted or not', async () => {
    const { world, bot } = await quoting({}, { exchange: venueSays('exclusive') });
    bot.kill();
    const said = world.exchangeSettings.events.find(({ id }) => id === CUP)! as { resolutionMode: string };
    said.resolutionMode = 'non_exclusive';
    world.killVenue();
    world.restartVenue('disk');
    const next = await world.start({ settings: (settings) => ({ ...settings, startOrders: 'adopt' }) });
    await world.run(10_000);
    expect(haltsIn(next.view)[ASHFORD]).toBe('resolution-contradicted');
    expect(new Set(ordersAtVenue(world).map(({ marketId }) => Number(marketId)))).toEqual(new Set([RAIN]));
    expectAgreement(world, next);
  });
});

describe('a configuration that says nothing', () => {
  test.each(['exclusive', 'non_exclusive'] as const)('goes by the venue: %s', async (told) => {
    const { bot, quoted } = await begun({ configured: null, told });
    expect(quoted).toEqual(new Set([RAIN, ASHFORD, BRACKLEY]));
    expect(textsOf(bot)).toEqual([]);
  });
});

describe('a configuration that counts more losses than can come', () => {
  test('is told so once, and gone by', async () => {
    const { bot, quoted } = await begun({ configured: 'non_exclusive', told: 'exclusive' });
    expect(quoted).toEqual(new Set([RAIN, ASHFORD, BRACKLEY]));
    expect(textsOf(bot)).toEqual([
      expect.stringMatching(
        /^warning: the venue says exclusive of event 200, the configuration non_exclusive/,
      ),
    ]);
  });
});
