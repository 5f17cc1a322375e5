import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createLogger, loadBotSettings, seededRandom, startDemo, SystemClock } from 'oddsmith';
import { describe, expect, it } from 'vitest';
import { scratchFolder } from '../support/disk/scratch-folder.js';

function embedded(runId: string): ReturnType<typeof startDemo> {
  const { settings, source } = loadBotSettings('config/demo.yaml', {});
  return startDemo({
    settings: {
      ...settings,
      stateDir: scratchFolder(),
      exchange: { ...settings.exchange!, port: 0 },
      http: { host: '127.0.0.1', port: 0, token: null },
    },
    source,
    recording: null,
    clock: new SystemClock(),
    random: seededRandom(settings.seed),
    logger: createLogger({ level: 'silent' }),
    runId,
  });
}

describe('a program that embeds the project', () => {
  it('runs exchange and bot over the wire, sees quotes, and stops clean', async () => {
    const { exchange, bot } = await embedded('embedded-1');
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

  it('hears that everything was withdrawn although the disk does not take the end of the run', async () => {
    const { exchange, bot } = await embedded('embedded-2');
    try {
      mkdirSync(join(bot.folder!, 'run.json.new'));
      bot.stop('seen enough');
      expect((await bot.ended).outcome).toBe('clean');
    } finally {
      await exchange.close();
    }
  });
});
