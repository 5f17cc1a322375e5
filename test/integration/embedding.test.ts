import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createLogger, loadBotSettings, seededRandom, startDemo, SystemClock } from 'oddsmith';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { AgreeableVenue } from '../../src/runs/rehearsal/agreeable-venue.js';
import { Rehearsal } from '../../src/runs/rehearsal/rehearsal.js';
import { checkParity, isIdentical } from '../../src/runs/replay/parity.js';
import { scratchFolder } from '../support/disk/scratch-folder.js';

function embedded(runId: string, poll = false): ReturnType<typeof startDemo> {
  const { settings, source } = loadBotSettings('config/demo.yaml', {});
  return startDemo({
    settings: {
      ...settings,
      stateDir: scratchFolder(),
      runtime: { poll },
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

afterEach(() => vi.restoreAllMocks());

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

  it('rehearses while it polls, of which the venue and the run know nothing', async () => {
    const rehearsed = vi.spyOn(Rehearsal.prototype, 'turn');
    const played = vi.spyOn(AgreeableVenue.prototype, 'answer');
    const { exchange, bot } = await embedded('embedded-3', true);
    try {
      await expect.poll(() => bot.view().counts.ordersCreated, { timeout: 30_000 }).toBeGreaterThan(0);
      await expect.poll(() => played.mock.calls.length, { timeout: 30_000 }).toBeGreaterThan(100);
      const markets = bot.view().markets.map(({ title }) => title);
      bot.stop('seen enough');
      expect((await bot.ended).outcome).toBe('clean');
      expect(bot.view().markets.map(({ title }) => title)).toEqual(markets);
      expect(bot.view().notices.filter(({ level }) => level === 'error')).toEqual([]);
      const turns = rehearsed.mock.calls.length;
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(rehearsed.mock.calls.length).toBe(turns);
      expect(isIdentical(await checkParity(bot.folder!))).toBe(true);
    } finally {
      await exchange.close();
    }
  });
});
