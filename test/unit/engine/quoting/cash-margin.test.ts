import { describe, expect, it } from 'vitest';
import { CashMargin } from '../../../../src/engine/quoting/cash-margin.js';
import { ms } from '../../../support/own-order-reports.js';

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

  it('is given free by a person who resumes', () => {
    const margin = new CashMargin();
    margin.refused(800, ms(5), ms(10));
    margin.refused(800, ms(20), ms(30));
    margin.lift();
    margin.refused(800, ms(40), ms(50));
    expect(margin.amount).toBe(0);
  });
});
