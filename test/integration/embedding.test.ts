import { createLogger, loadBotSettings, seededRandom, startDemo, SystemClock } from 'oddsmith';
import { describe, expect, it } from 'vitest';
import { scratchFolder } from '../support/scratch-folder.js';

describe('a program that embeds the project', () => {
  it('runs exchange and bot over the wire, sees quotes, and stops clean', async () => {
    const { settings, source } = loadBotSettings('config/demo.yaml', {});
    const exchangeSettings = { ...settings.exchange!, port: 0 };
    const { exchange, bot } = await startDemo({
      settings: {
        ...settings,
        stateDir: scratchFolder(),
        exchange: exchangeSettings,
        http: { host: '127.0.0.1', port: 0, token: null },
      },
      source,
      recording: null,
      clock: new SystemClock(),
      random: seededRandom(settings.seed),
      logger: createLogger({ level: 'silent' }),
      runId: 'embedded-1',
    });
    try {
      await expect.poll(() => bot.view().counts.ordersCreated, { timeout: 30_000 }).toBeGreaterThan(0);
      const ready = await fetch(`${bot.url}/ready`);
      expect([200, 503]).toContain(ready.status);
      bot.changeRules(1, { tickUnits: 200 });
      expect(bot.view().notices.map(({ code }) => code)).toContain('terms-refused');
      bot.stop('seen enough');
      expect((await bot.ended).outcome).toBe('clean');
      expect(bot.view().markets.flatMap((market) => market.quotes)).toEqual([]);
    } finally {
      await exchange.close();
    }
  });
});
