import { describe, expect, it } from 'vitest';
import { marketId } from '../../../../src/domain/ids.js';
import { checkInstances } from '../../../../src/runs/strategies/instances.js';
import { limitRemarks } from '../../../../src/runs/live/limit-remarks.js';
import { checkBotSettings, SettingsSource } from '../../../../src/settings/index.js';

const TEXT = `backtest: { recordings: [x] }
events: [{ id: 1, markets: [{ id: 7 }] }]
instances:
  - name: first
    strategy: inventory-skew
    markets: [7]
    params: { halfSpread: '0.02', shares: 10 }
`;

const EVENTS = [{ markets: [{ id: marketId(7), tickUnits: 100 }] }] as never;

async function remarksOf(text: string): Promise<readonly string[]> {
  const source = SettingsSource.parse(text, 'bot.yaml', {});
  const { settings } = checkBotSettings(source);
  return limitRemarks(
    { instances: await checkInstances(settings, source, () => 100), events: EVENTS },
    source,
  );
}

describe('a remark on limits', () => {
  it.each([
    ['maxOrderShares: 5', 'maxOrderShares', 5],
    ['maxPositionShares: 9.5', 'maxPositionShares', 9.5],
  ])('says that %s refuses what is quoted', async (limit, name, most) => {
    expect(await remarksOf(`${TEXT}    limits: { ${limit} }\n`)).toEqual([
      `bot.yaml:7:35 instances[0].params.shares: quotes of 10 shares are more than limits.${name} allows, which is ${most}: risk control refuses them`,
    ]);
  });

  it.each([
    [
      'maxOrderAmount: "0.05"',
      'shares: quotes of 10 shares cost 0.1 at the lowest price, more than limits.maxOrderAmount',
    ],
    [
      'maxEventLoss: "0.09"',
      'shares: quotes of 10 shares cost 0.1 at the lowest price, more than limits.maxEventLoss',
    ],
    [
      'maxLocked: "0.09"',
      'shares: quotes of 10 shares cost 0.1 at the lowest price, more than limits.maxLocked',
    ],
    [
      'priceCollar: "0.01"',
      'halfSpread: quotes 0.02 away from fair value are further than limits.priceCollar',
    ],
  ])('says that %s refuses what is quoted', async (limit, told) => {
    const [remark] = await remarksOf(`${TEXT}    limits: { ${limit} }\n`);
    expect(remark).toContain(told);
  });

  it('is not made of sizes that pass', async () => {
    expect(await remarksOf(`${TEXT}    limits: { maxOrderShares: 10, maxPositionShares: 10 }\n`)).toEqual([]);
  });

  it('knows the size that a strategy has unless it is told', async () => {
    const [remark] = await remarksOf(
      `${TEXT.replace(', shares: 10', '')}    limits: { maxOrderShares: 5 }\n`,
    );
    expect(remark).toMatch(/^bot\.yaml:7:13 instances\[0\]\.params\.shares: quotes of 10 shares/);
  });
});
