import { describe, expect, it } from 'vitest';
import { CashMargin } from '../../../../../src/core/engine/quoting/funds.js';
import { ms } from '../../../../support/orders/own-order-reports.js';

const TEN_MINUTES = 600_000;

describe('cash held back because the venue counts otherwise', () => {
  it('is none after a first refusal, nor after others by the same balance', () => {
    const margin = new CashMargin();
    margin.refused(800, ms(5), ms(10));
    margin.refused(800, ms(5), ms(10));
    margin.refused(800, ms(9), ms(11));
    expect(margin.amount).toBe(0);
  });

  it('grows with each refusal that comes although the balance was read since', () => {
    const margin = new CashMargin();
    margin.refused(800, ms(5), ms(10));
    margin.refused(800, ms(20), ms(30));
    margin.refused(401, ms(40), ms(50));
    expect(margin.amount).toBe(100 + 51);
  });

  it('becomes half as much with a balance that is read ten minutes after the last refusal, and nothing in the end', () => {
    const margin = new CashMargin();
    margin.refused(8_000_000, ms(5), ms(10));
    margin.refused(8_000_000, ms(20), ms(30));
    margin.balanceRead(ms(30 + TEN_MINUTES - 1));
    expect(margin.amount).toBe(1_000_000);
    margin.balanceRead(ms(30 + TEN_MINUTES));
    margin.balanceRead(ms(31 + TEN_MINUTES));
    expect(margin.amount).toBe(500_000);
    margin.refused(8_000_000, ms(40 + TEN_MINUTES), ms(50 + TEN_MINUTES));
    margin.balanceRead(ms(31 + 2 * TEN_MINUTES));
    expect(margin.amount).toBe(1_500_000);
    for (const times of [3, 4, 5]) margin.balanceRead(ms(31 + times * TEN_MINUTES));
    expect(margin.amount).toBe(187_500);
    for (let times = 6; times < 20; times++) margin.balanceRead(ms(31 + times * TEN_MINUTES));
    expect(margin.amount).toBe(0);
  });

  it('is given free by a person who resumes', () => {
    const margin = new CashMargin();
    margin.refused(800, ms(5), ms(10));
    margin.refused(800, ms(20), ms(30));
    margin.lift();
    margin.refused(800, ms(40), ms(50));
    expect(margin.amount).toBe(0);
  });
});
