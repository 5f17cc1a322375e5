import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createLogger, loadBotSettings, seededRandom, startDemo, SystemClock } from 'oddsmith';
import { expect, it } from 'vitest';
import { scratchFolder } from '../support/disk/scratch-folder.js';

it('a bot whose state folder is deleted says what to do, creates nothing more, and withdraws what stands', async () => {
  const { settings, source } = loadBotSettings('config/demo.yaml', {});
  const stateDir = join(scratchFolder(), 'state');
  const said: string[] = [];
  const logger = createLogger({ level: 'error', style: 'json', write: (line) => void said.push(line) });
  const { exchange, bot } = await startDemo({
    settings: {
      ...settings,
      stateDir,
      exchange: { ...settings.exchange!, port: 0 },
      http: { host: '127.0.0.1', port: 0, token: null },
      tape: { ...settings.tape, record: false },
      report: { ...settings.report, write: false },
    },
    source,
    recording: null,
    clock: new SystemClock(),
    random: seededRandom(settings.seed),
    logger,
    runId: 'lost-folder',
  });
  try {
    await expect.poll(() => bot.view().counts.ordersCreated, { timeout: 30_000 }).toBeGreaterThan(0);
    rmSync(stateDir, { recursive: true });
    const journalSaid = (): string[] => said.filter((text) => text.includes('the journal takes no record:'));
    await expect.poll(journalSaid, { timeout: 5_000 }).toHaveLength(1);
    expect(journalSaid()[0]).toMatch(/was removed.*Cancels leave, no order is created; .*stop the bot/);
    const alarms = (): string[] => bot.view().alarms.map(({ code }) => code);
    await expect.poll(alarms, { timeout: 30_000 }).toEqual(['journal']);
    const { ordersCreated } = bot.view().counts;
    bot.stop('seen enough');
    expect((await bot.ended).outcome).toBe('clean');
    expect(bot.view().counts.ordersCreated).toBe(ordersCreated);
    expect(bot.view().markets.flatMap((market) => market.quotes)).toEqual([]);
  } finally {
    await exchange.close();
  }
});
