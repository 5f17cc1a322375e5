import { describe, expect, it } from 'vitest';
import { micros, money } from '../../../../src/domain/units.js';
import { CashWitness } from '../../../../src/core/portfolio/cash-witness.js';

const at = (ms: number) => micros(ms * 1_000);

describe('comparing cash with the balance', () => {
  it('takes the first balance as it is', () => {
    const cash = new CashWitness(1_000);
    expect(cash.read(money(500), at(0))).toBeNull();
    cash.flowed(money(-20), at(1));
    expect(cash.read(money(480), at(2_000))).toBeNull();
  });

  it('states a residual that two reads show with no flow in between', () => {
    const cash = new CashWitness(1_000);
    cash.read(money(500), at(0));
    cash.flowed(money(-20), at(1));
    expect(cash.read(money(477), at(10))).toBeNull();
    expect(cash.read(money(477), at(1_010))).toEqual({ ours: 480, venue: 477, residual: -3, since: at(10) });
  });

  it('waits for a residual to hold still, and not for a read older than the flow', () => {
    const cash = new CashWitness(1_000);
    cash.read(money(500), at(0));
    expect(cash.read(money(490), at(10))).toBeNull();
    expect(cash.read(money(480), at(2_000))).toBeNull();
    cash.flowed(money(-20), at(2_500));
    expect(cash.read(money(470), at(2_400))).toBeNull();
    expect(cash.read(money(480), at(4_000))).toBeNull();
    expect(cash.read(money(480), at(9_000))).toBeNull();
  });

  it('adds what an unknown order had locked to a balance that came before, and takes no older one for the first', () => {
    const known = new CashWitness(0);
    known.read(money(470), at(0));
    known.wasLocked(money(30), at(1));
    expect(known.read(money(500), at(2))).toBeNull();
    const unread = new CashWitness(0);
    unread.wasLocked(money(30), at(1));
    expect(unread.read(money(470), at(0))).toBeNull();
    expect(unread.read(money(500), at(2))).toBeNull();
    expect(unread.read(money(500), at(3))).toBeNull();
  });

  it('an accepted residual is not stated again, and a deposit is none', () => {
    const cash = new CashWitness(0);
    cash.read(money(500), at(0));
    const difference = cash.read(money(497), at(1))!;
    cash.accept(difference);
    expect(cash.read(money(497), at(2))).toBeNull();
    cash.deposited(money(100));
    expect(cash.read(money(597), at(3))).toBeNull();
  });
});
