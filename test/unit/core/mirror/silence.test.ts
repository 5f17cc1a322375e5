import { describe, expect, it } from 'vitest';
import { Silence } from '../../../../src/core/mirror/silence.js';
import type { Micros } from '../../../../src/domain/units.js';

const seconds = (count: number) => (count * 1_000_000) as Micros;
const MINUTE_MS = 60_000;

function plannedBy(silence: Silence): number[] {
  const due: number[] = [];
  silence.plan('book', seconds(100), MINUTE_MS, (at) => due.push(at));
  return due;
}

describe('routine reads', () => {
  it('go on in a silence where messages may be lost', () => {
    expect(plannedBy(new Silence())).toEqual([seconds(160)]);
  });

  it('wait where none is lost, and go on in their turn once something is heard', () => {
    const silence = new Silence(true);
    const due = plannedBy(silence);
    expect(due).toEqual([]);
    silence.heard(seconds(290));
    expect(due).toEqual([seconds(340)]);
    silence.heard(seconds(300));
    expect(due).toEqual([seconds(340)]);
  });

  it('are not left out when something was heard since the last one', () => {
    const silence = new Silence(true);
    silence.heard(seconds(100));
    expect(plannedBy(silence)).toEqual([seconds(160)]);
  });

  it('count as read in their turn while they are left out', () => {
    const silence = new Silence(true);
    plannedBy(silence);
    expect(silence.lastTurn('book', seconds(150))).toBeNull();
    expect(silence.lastTurn('book', seconds(225))).toBe(seconds(220));
    expect(silence.lastTurn('other', seconds(225))).toBeNull();
    silence.heard(seconds(230));
    expect(silence.lastTurn('book', seconds(231))).toBeNull();
  });
});
