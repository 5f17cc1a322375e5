import { expect, it } from 'vitest';
import { paperBesideLive } from '../support/simulation/paper-sessions.js';

it('fills within a fifth of what a live bot is filled, in ten sessions of ten minutes', async () => {
  const { live, paper, table } = await paperBesideLive(10, 10);
  console.info(table);
  expect(live).toBeGreaterThan(1_000);
  expect(Math.abs(paper / live - 1)).toBeLessThan(0.2);
}, 1_800_000);
