import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Micros } from '../../../../src/domain/units.js';
import { Agenda } from '../../../../src/core/mirror/agenda.js';

type Step =
  | { readonly kind: 'plan'; readonly subject: number; readonly at: number }
  | { readonly kind: 'drop'; readonly subject: number }
  | { readonly kind: 'take'; readonly now: number };

const subject = fc.nat(40);
const time = fc.nat(30);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('plan' as const), subject, at: time }) },
  fc.record({ kind: fc.constant('drop' as const), subject }),
  fc.record({ kind: fc.constant('take' as const), now: time }),
);

/** The obvious one: a Map of dates, searched. */
class NaiveAgenda {
  readonly #dates = new Map<number, number>();

  get first(): [number, number] | undefined {
    return [...this.#dates].toSorted((a, b) => a[1] - b[1] || a[0] - b[0])[0];
  }

  plan(subject: number, at: number): void {
    this.#dates.set(subject, Math.min(at, this.#dates.get(subject) ?? Infinity));
  }

  drop(subject: number): void {
    this.#dates.delete(subject);
  }

  take(now: number): number | null {
    const { first } = this;
    if (first === undefined || first[1] > now) return null;
    this.drop(first[0]);
    return first[0];
  }
}

function perform(agenda: Pick<Agenda, 'plan' | 'drop' | 'take'> | NaiveAgenda, step: Step): number | null {
  if (step.kind === 'take') return agenda.take(step.now as Micros);
  if (step.kind === 'plan') agenda.plan(step.subject, step.at as Micros);
  else agenda.drop(step.subject);
  return null;
}

describe('the agenda', () => {
  it('does what a searched Map of dates does', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120, size: 'max' }), (steps) => {
        const agenda = new Agenda();
        const naive = new NaiveAgenda();
        for (const one of steps) {
          expect(perform(agenda, one)).toBe(perform(naive, one));
          expect(agenda.next).toBe(naive.first?.[1] ?? null);
        }
      }),
      { numRuns: 300 },
    );
  });
});
