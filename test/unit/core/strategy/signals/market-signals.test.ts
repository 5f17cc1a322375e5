import { bookOf, fillOf } from 'oddsmith/sdk/testing';
import { describe, expect, it } from 'vitest';
import { marketId } from '../../../../../src/domain/ids.js';
import { micros } from '../../../../../src/domain/units.js';
import { checkSignals } from '../../../../../src/core/strategy/signals/declared.js';
import { MarketSignals } from '../../../../../src/core/strategy/signals/market-signals.js';

const START = 1_786_000_000_000;

function signalsOf(declared: Readonly<Record<string, unknown>>) {
  const check = checkSignals(declared);
  if (!check.ok) throw new Error(JSON.stringify(check.issues));
  const signals = new MarketSignals(false);
  signals.declare(check.signals);
  const look = (seconds: number, book = bookOf(0.48, 0.52)) =>
    signals.look(() => ({ nowMs: START + seconds * 1_000, book, fair: null, msToClose: null }));
  return { signals, look };
}

describe('signals of a market', () => {
  it('are given by name', () => {
    const { signals, look } = signalsOf({ mid: { kind: 'microprice' }, turned: { kind: 'markOut' } });
    look(0);
    expect(signals.views).toEqual({ mid: { value: 0.5, ageMs: 0, confidence: 1, count: 1 }, turned: null });
    expect([signals.halt, signals.dueMs]).toEqual([null, null]);
  });

  it('are computed once where they are declared alike', () => {
    const check = checkSignals({ one: { kind: 'microprice' }, other: { kind: 'microprice', levels: 1 } });
    const [one, other] = check.ok ? check.signals : [];
    expect(one!.key).toBe(other!.key);
    const { signals, look } = signalsOf({ one: { kind: 'microprice' }, other: { kind: 'microprice' } });
    look(0);
    expect(signals.views['one']).toEqual(signals.views['other']);
  });

  it('halt the market when a required one is missing or too old, by name', () => {
    const { signals, look } = signalsOf({ mid: { kind: 'microprice', required: true, maxAgeMs: 2_000 } });
    look(0, bookOf(null, 0.52));
    expect(signals.halt).toBe('signal-missing-mid');
    look(1);
    expect([signals.halt, signals.dueMs]).toEqual([null, null]);
    look(2, bookOf(null, 0.52));
    expect([signals.halt, signals.dueMs]).toEqual([null, START + 4_000.001]);
    look(4, bookOf(null, 0.52));
    expect(signals.halt).toBeNull();
    look(4.001, bookOf(null, 0.52));
    expect([signals.halt, signals.views['mid'], signals.dueMs]).toEqual(['signal-expired-mid', null, null]);
    expect(signals.standing(START + 5_000)).toEqual([{ name: 'mid', ageMs: 3_000 }]);
  });

  it('may be told from outside, the newest by its time', () => {
    const { signals, look } = signalsOf({
      elo: { kind: 'external', maxAgeMs: 2_000 },
      form: { kind: 'external' },
    });
    const tell = (seconds: number, value: number) =>
      signals.told({
        kind: 'signal',
        marketId: marketId(11),
        name: 'elo',
        value,
        confidence: 0.5,
        at: micros((START + seconds * 1_000) * 1_000),
      });
    look(0);
    expect(signals.views).toEqual({ elo: null, form: null });
    tell(1, 1_500);
    tell(0.5, 1_400);
    look(2);
    expect(signals.views).toEqual({
      elo: { value: 1_500, ageMs: 1_000, confidence: 0.5, count: 1 },
      form: null,
    });
    expect(signals.dueMs).toBe(START + 3_000.001);
    tell(2.5, 1_600);
    look(2.2);
    expect(signals.views['elo']).toMatchObject({ value: 1_600, ageMs: 0, count: 2 });
  });

  it('fall due when a fill is to be judged', () => {
    const { signals, look } = signalsOf({ turned: { kind: 'markOut', horizonMs: 5_000 } });
    look(0);
    signals.filled(fillOf(), START + 1_000);
    look(1);
    expect(signals.dueMs).toBe(START + 6_000);
  });

  it('go on where a new list declares them, too', () => {
    const { signals, look } = signalsOf({ flow: { kind: 'orderFlow' } });
    look(0);
    look(1, bookOf(0.48, 0.52, 130));
    const check = checkSignals({ push: { kind: 'orderFlow' }, mid: { kind: 'microprice' } });
    signals.declare(check.ok ? check.signals : []);
    look(1, bookOf(0.48, 0.52, 130));
    expect(signals.views['push']!.count).toBe(1);
    expect(signals.views['flow']).toBeUndefined();
  });
});

describe('a declaration', () => {
  const issues = (declared: Readonly<Record<string, unknown>>, configured = {}) => {
    const check = checkSignals(declared, configured);
    return check.ok ? [] : check.issues.map(({ name, expected, nearest }) => [name, nearest ?? expected]);
  };

  it('is changed by the file, parameter by parameter', () => {
    const declared = { vol: { kind: 'volatility', halfLifeMs: 5_000, space: 'logit' } };
    const check = checkSignals(declared, { vol: { halfLifeMs: 9_000, required: true } });
    expect(check.ok && check.signals[0]).toMatchObject({ name: 'vol', required: true, maxAgeMs: Infinity });
    expect(check.ok && check.signals[0]!.key).toMatch(/logit.*"halfLifeMs":9000/);
    const other = checkSignals(declared, { vol: { kind: 'microprice' } });
    expect(other.ok && other.signals[0]!.key).toBe('["microprice",{"levels":1}]');
  });

  it('may be added by the file, and left undefined by a strategy', () => {
    const check = checkSignals({ vol: undefined }, { mid: { kind: 'microprice' } });
    expect(check.ok && check.signals.map(({ name }) => name)).toEqual(['mid']);
  });

  it.each([
    [{ vol: { kind: 'volatilty' } }, [['vol.kind', expect.stringContaining('did you mean volatility?')]]],
    [{ vol: { kind: 'volatility', halfLife: 5 } }, [['vol.halfLife', 'halfLifeMs']]],
    [
      { vol: { kind: 'volatility', halfLifeMs: 0 } },
      [['vol.halfLifeMs', expect.stringContaining('from 1 to')]],
    ],
    [{ vol: 3 }, [['vol', expect.stringContaining('a signal with a kind')]]],
    [{ 'Big one': { kind: 'microprice' } }, [['Big one', 'a camelCase name']]],
    [
      { turned: { kind: 'markOut', required: true } },
      [['turned.required', expect.stringContaining('no mark-out')]],
    ],
  ])('is refused with its place: %j', (declared, expected) => {
    expect(issues(declared)).toEqual(expected);
  });
});
