import { describe, expect, it } from 'vitest';
import { quoting } from '../../../../support/simulation/scenes.js';

describe('the balance of a view', () => {
  it('is unknown from a lost connection until it is read again', async () => {
    const { world, bot } = await quoting();
    const { total } = bot.view.balance;
    expect(total).not.toBeNull();
    bot.line.lose('test', 100);
    await world.runUntil('it is noticed', () => bot.view.connection.state !== 'connected');
    expect(bot.view.balance).toEqual({ total: null, free: null });
    await world.runUntil('it is read again', () => bot.view.balance.total !== null);
    expect(bot.view.balance.total).toBe(total);
  });
});
